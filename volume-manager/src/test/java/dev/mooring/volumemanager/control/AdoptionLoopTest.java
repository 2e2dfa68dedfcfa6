// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.Adoption;
import java.io.IOError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is mounted without a record is told, kept or undone, and never forgotten (semantics/attach-and-mount §7.3, §6.1 #101791). */
class AdoptionLoopTest extends AdoptionFixture<FakePlugin.Recognising> {
    private static final String BACKEND = "/data/pv1";
    private static final String NAME = "example.com/fake/" + BACKEND;
    private static final ObjectKey POD = ObjectKey.of("ns", "web");
    private static final Path VOLUME = SmallCluster.ROOT
            .resolve("pods/web-uid/volumes")
            .resolve(FakePlugin.NAME.escaped())
            .resolve("pv1");

    AdoptionLoopTest() {
        super(new FakePlugin.Recognising());
    }

    /** A pod has a volume that is attached and prepared; what is mounted for that is in the table. */
    private void running() {
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.attach(BACKEND);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        world.standing().forEach(entry -> mounted(pathOf(entry), "8:1"));
        world.calls.clear();
    }

    private void recogniseAll() {
        table.forEach(entry -> plugin.mine.put(entry.mountPoint(), SmallCluster.source(BACKEND)));
    }

    private void deletePodUnseen() {
        world.store.remove(Kinds.POD, POD);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPodThatIsStillThereKeepsItsVolume(boolean recognised) {
        running();
        if (recognised) {
            recogniseAll();
        }
        restartWithoutRecords();
        assertThat(world.found.adopted()).hasSize(2);
        assertThat(world.found.left()).isEmpty();

        world.run();
        // the plugin is asked whether what the pod sees is the volume
        assertThat(world.calls).containsExactly("publish pv1");
        assertThat(phases()).containsExactly(RecordPhase.DONE, RecordPhase.DONE);
        assertThat(inUse()).containsExactly(NAME);
        assertThat(world.violations).isEmpty();

        world.store.put(
                Kinds.POD,
                world.store
                        .get(Kinds.POD, POD)
                        .map(pod -> pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))))
                        .orElseThrow());
        world.run();
        assertThat(world.calls).containsExactly("publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAPodHadThatIsGoneIsUndoneInOrderAndInUseUntilThen(boolean recognised) {
        running();
        if (recognised) {
            recogniseAll();
        }
        deletePodUnseen();
        world.faults =
                call -> call.operation().equals("unpublish") ? Optional.of(Outcome.deferred("busy")) : Optional.empty();
        restartWithoutRecords();
        world.run(1);
        assertThat(inUse()).as("it is mounted, whatever was forgotten (S5)").containsExactly(NAME);

        world.faults = call -> Optional.empty();
        world.run();
        assertThat(world.calls).doesNotContain("stage pv1", "publish pv1").endsWith("unpublish pv1", "unstage pv1");
        assertThat(world.mounts).isEmpty();
        assertThat(world.staged).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatNoPluginKnowsAndIsSeenNowhereElseIsLeftAloneAndStaysInUse() {
        running();
        table.clear();
        mounted(VOLUME, "8:1");
        mounted(SmallCluster.ROOT.resolve("plugins/example.com/fake/something"), "8:2");
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        restartWithoutRecords();
        assertThat(world.found.adopted()).isEmpty();
        assertThat(world.found.left()).hasSize(2).allMatch(line -> line.contains("is left alone"));
        assertThat(world.found.unclear()).containsExactly(FakePlugin.NAME);

        world.run();
        assertThat(world.calls).isEmpty();
        assertThat(world.mounts).hasSize(1);
        assertThat(inUse()).containsExactly(NAME);
    }

    @Test
    void whatNoObjectNamesGoesIfItIsSeenElsewhereToo() {
        running();
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        restartWithoutRecords();
        assertThat(world.found.unnamed()).singleElement().satisfies(unnamed -> {
            assertThat(unnamed.mount().mountPoint()).isEqualTo(VOLUME);
            assertThat(unnamed.podUid()).isEqualTo("web-uid");
        });
        assertThat(world.found.left()).as("it is unknown what is prepared").hasSize(1);

        world.run();
        assertThat(world.calls).containsExactly("take-away ");
        assertThat(world.eventReasons()).anyMatch(event -> event.startsWith("UnknownMountRemoved: "));
        assertThat(inUse()).as("it is still prepared (S5)").containsExactly(NAME);

        world.calls.clear();
        world.run();
        assertThat(world.calls).as("once").isEmpty();
    }

    @Test
    void whatNoObjectNamesAndIsBusyIsToldOnceAndTriedAgain() {
        running();
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        world.faults =
                call -> call.operation().equals("take-away") ? Optional.of(Outcome.deferred("busy")) : Optional.empty();
        restartWithoutRecords();
        world.run();
        assertThat(world.calls).hasSizeGreaterThan(1).hasSizeLessThan(60);
        assertThat(world.eventReasons())
                .filteredOn(event -> event.startsWith("UnknownMount"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event).contains("cannot be unmounted").contains("busy"));

        world.faults = call -> Optional.empty();
        world.run();
        assertThat(world.eventReasons()).anyMatch(event -> event.startsWith("UnknownMountRemoved: "));
    }

    @Test
    void whatShowsSomethingPreparedIsThatVolumeThoughNoObjectNamesItAnyMore() {
        running();
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        table.stream()
                .map(MountEntry::mountPoint)
                .filter(place -> !place.equals(VOLUME))
                .forEach(staged -> plugin.mine.put(staged, SmallCluster.source(BACKEND)));
        restartWithoutRecords();
        assertThat(world.found.adopted()).hasSize(2);
        assertThat(world.found.unnamed()).isEmpty();

        world.run();
        assertThat(world.calls).containsExactly("unpublish pv1", "unstage " + BACKEND);
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatAPodOfAFileHasIsLeftAlone() {
        running();
        world.store.put(
                Kinds.POD,
                world.store
                        .get(Kinds.POD, POD)
                        .map(pod -> pod.withMetadata(pod.metadata()
                                .withUid("of-the-api")
                                .withAnnotation("kubernetes.io/config.hash", "web-uid")))
                        .orElseThrow());
        restartWithoutRecords();
        assertThat(world.found.adopted()).isEmpty();
        assertThat(world.found.unnamed()).isEmpty();
        assertThat(world.found.left()).anyMatch(line -> line.contains("from a file"));
    }

    @Test
    void whatAPodOfAFileHasStaysThoughThePodIsTheApisOnlyLater() {
        running();
        Pod pod = world.store.get(Kinds.POD, POD).orElseThrow();
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        restartWithoutRecords();
        assertThat(world.found.unnamed()).hasSize(1);
        world.store.put(
                Kinds.POD,
                pod.withMetadata(
                        pod.metadata().withUid("of-the-api").withAnnotation("kubernetes.io/config.hash", "web-uid")));
        world.run();
        assertThat(world.calls).doesNotContain("take-away ");
    }

    @Test
    void whatIsNotTheVolumeOfItsPlaceIsLeftAlone() {
        running();
        plugin.mine.put(VOLUME, SmallCluster.source("/data/another"));
        restartWithoutRecords();
        assertThat(world.found.left())
                .anySatisfy(line -> assertThat(line).contains("/data/another").contains(VOLUME.toString()));
        // what is prepared may not be taken away below it
        assertThat(world.found.left()).hasSize(2);
        assertThat(world.standing()).isEmpty();
    }

    @Test
    void whatOneVolumeLeavesUnclearKeepsNoOtherThatIsKnown() {
        running();
        recogniseAll();
        mounted(SmallCluster.ROOT.resolve("plugins/example.com/fake/something"), "8:9");
        restartWithoutRecords();
        assertThat(world.found.unclear()).containsExactly(FakePlugin.NAME);
        deletePodUnseen();
        world.run();
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
    }

    @Test
    void whatIsRecordedIsNotSearchedFor() {
        running();
        mounted(VOLUME.resolve("within"), "8:2");
        mounted(SmallCluster.ROOT.resolve("pods/web-uid/volume-subpaths/v/c/0"), "8:1");
        mounted(Path.of("/elsewhere"), "8:3");
        assertThat(search().result()).contains(Adoption.Result.NOTHING);
        assertThat(lists).as("no list is needed").isZero();
    }

    @Test
    void whatLiesWithinTheBarePlaceOfAVolumeIsLeftAlone() {
        world.store.put(Kinds.NODE, SmallCluster.node());
        mounted(VOLUME.resolve("mount"), "8:2");
        Adoption.Result found = search().result().orElseThrow();
        assertThat(found.adopted()).isEmpty();
        assertThat(found.left()).hasSize(1);
    }

    @Test
    void subPathsTellTheNameThatAVolumeHadInAPodThatIsGone() {
        running();
        deletePodUnseen();
        mounted(SmallCluster.ROOT.resolve("pods/web-uid/volume-subpaths/v/c/0"), "8:1");
        restartWithoutRecords();
        assertThat(world.standing())
                .anyMatch(entry -> entry.key().equals(RecordEntry.Publish.key("web-uid", "v"))
                        && entry.phase() == RecordPhase.UNDO);
    }

    @Test
    void nothingIsConcludedWhileTheClusterDoesNotTell() {
        running();
        world.log = new MemoryRecordLog();
        storeIsAway = true;
        assertThat(search().isDone()).isFalse();
        assertThat(world.standing()).isEmpty();
    }

    @Test
    void aSearchThatWasCutOffIsGoneOnWith() {
        running();
        recogniseAll();
        List<RecordEntry> before = world.standing();
        world.log = new MemoryRecordLog();
        world.log.append(before.get(0));
        Adoption.Result found = search().result().orElseThrow();
        assertThat(found.adopted()).hasSize(1);
        assertThat(world.standing()).hasSize(2);
        assertThat(search().result()).contains(Adoption.Result.NOTHING);
    }

    static Stream<Arguments> defects() {
        return Stream.of(
                arguments(
                        "a source that is not valid",
                        answering(() ->
                                Outcome.done(new Adopted(SmallCluster.source("no absolute path"), PluginState.NONE)))),
                arguments("answered null", answering(() -> null)),
                arguments("IllegalStateException", answering(() -> {
                    throw new IllegalStateException("planted");
                })),
                arguments("StackOverflowError", answering(() -> {
                    throw new StackOverflowError("planted");
                })),
                arguments("IOError", answering(() -> {
                    throw new IOError(new IOException("planted"));
                })),
                arguments("AssertionError", answering(() -> {
                    throw new AssertionError("planted");
                })),
                arguments("NoClassDefFoundError", answering(() -> {
                    throw new NoClassDefFoundError("planted");
                })));
    }

    private static Supplier<Outcome<Adopted>> answering(Supplier<Outcome<Adopted>> answer) {
        return answer;
    }

    @ParameterizedTest
    @MethodSource("defects")
    void aPluginThatFailsIsNotBelievedAndStopsNothing(String why, Supplier<Outcome<Adopted>> answer) {
        running();
        deletePodUnseen();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"));
        assertThat(table).as("it shows what is prepared").hasSize(2);
        plugin.answers.put(VOLUME, answer);
        restartWithoutRecords();
        assertThat(world.found.left()).hasSize(2).anyMatch(line -> line.contains(why));
        assertThat(world.found.unnamed()).as("it may be known later").isEmpty();
        world.run();
        assertThat(world.calls).isEmpty();
    }

    @Test
    void aMachineThatMountsNothingHasNothingToSearch() {
        PluginRegistry none = new PluginRegistry(List.of());
        Adoption adoption =
                new Adoption(SmallCluster.CONFIG, none, HostServices.none(), () -> Instant.EPOCH, Secrets.NONE);
        ClusterStore unasked = instead(ClusterStore.class, "nothing", () -> "");
        assertThat(adoption.run(new MemoryRecordLog(), unasked).result()).contains(Adoption.Result.NOTHING);
    }

    @Test
    void aPodThatEndedGivesItsVolumeBack() {
        running();
        recogniseAll();
        world.store.put(
                Kinds.POD,
                world.store
                        .get(Kinds.POD, POD)
                        .map(pod -> pod.withStatus(pod.status().withPhase(PodPhase.SUCCEEDED)))
                        .orElseThrow());
        restartWithoutRecords();
        world.run();
        assertThat(world.calls).containsExactly("unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(world.violations).isEmpty();
    }
}
