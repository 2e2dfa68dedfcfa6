// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.SELinuxOptions;
import dev.mooring.storage.model.SecurityContext;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.MountNews;
import dev.mooring.volumemanager.calls.CompleteCall;
import dev.mooring.volumemanager.calls.StageCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.calls.UnstageCall;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that have to be attached and prepared come and go with their pods. */
class StagedVolumesLoopTest {
    private static final String BACKEND = "/data/pv1";
    private static final String NAME = "example.com/fake//data/pv1";

    private final World world = World.withDevices();

    private void boundClaim() {
        world.store.put(Kinds.PERSISTENT_VOLUME, Objects.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("data", "pv1"));
    }

    private void pod(String name) {
        world.store.put(Kinds.POD, Objects.pod(name, Objects.claimed("v", "data")));
    }

    private void deletePod(String name) {
        ObjectKey key = ObjectKey.of("ns", name);
        world.store
                .get(Kinds.POD, key)
                .ifPresent(pod -> world.store.put(
                        Kinds.POD, pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)))));
    }

    private List<String> inUse() {
        return world.node().status().volumesInUse();
    }

    private Optional<PodPhase> phase(String pod) {
        return world.store
                .get(Kinds.POD, ObjectKey.of("ns", pod))
                .map(found -> found.status().phase());
    }

    @Test
    void reportsWaitsStagesPublishesAndGoesBackInTheOppositeOrder() {
        boundClaim();
        pod("web");
        world.run();
        assertThat(inUse()).containsExactly(NAME);
        assertThat(world.calls).isEmpty();
        assertThat(world.node().metadata().annotation("volumes.kubernetes.io/controller-managed-attach-detach"))
                .contains("true");

        world.attach(BACKEND);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        assertThat(world.attachedSeen.values()).containsExactly(Map.of("devicePath", "/dev/of" + BACKEND));
        assertThat(phase("web")).contains(PodPhase.RUNNING);

        deletePod("web");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(world.violations).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
    }

    @Test
    void severalPodsShareWhatIsStagedOnce() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        pod("b");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");

        deletePod("a");
        world.run();
        assertThat(world.calls).doesNotContain("unstage pv1");

        deletePod("b");
        world.run();
        assertThat(world.calls).endsWith("unpublish pv1", "unstage pv1").hasSize(6);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void aRefusedUnstageKeepsTheVolumeInUseAndDelaysTheNextPod() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        world.run();
        boolean[] refuse = {true};
        world.faults = call -> refuse[0] && call instanceof UnstageCall
                ? Optional.of(Outcome.refused(Refusal.IN_USE, "device is open"))
                : Optional.empty();
        deletePod("a");
        world.run();
        pod("b");
        world.run();
        assertThat(inUse()).containsExactly(NAME);
        assertThat(world.calls.stream().filter("stage pv1"::equals)).hasSize(1);
        assertThat(phase("b")).contains(PodPhase.PENDING);

        refuse[0] = false;
        world.run();
        assertThat(world.calls).endsWith("unstage pv1", "stage pv1", "publish pv1");
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void anUncertainStageIsRepeatedOrUndoneNeverAssumed() {
        boundClaim();
        world.attach(BACKEND);
        AtomicInteger left = new AtomicInteger(1000);
        world.faults = call -> {
            if (call instanceof StageCall stage && left.getAndDecrement() > 0) {
                world.stage(stage);
                return Optional.of(Outcome.uncertain("no answer"));
            }
            return Optional.empty();
        };
        pod("a");
        world.run(5);
        assertThat(world.eventReasons()).contains("FailedMount: no answer");
        deletePod("a");
        world.run();

        assertThat(world.calls).endsWith("unstage pv1").doesNotContain("publish pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }

    @Test
    void anAttachmentThatDoesNotStandIsNotUsed() {
        boundClaim();
        pod("web");
        world.run();
        world.attach(BACKEND);
        world.store.put(Kinds.VOLUME_ATTACHMENT, Objects.attachment(BACKEND, false));
        world.run();
        assertThat(world.calls).isEmpty();

        world.store.put(Kinds.VOLUME_ATTACHMENT, Objects.attachment(BACKEND, true));
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
    }

    @Test
    void aNodeThatWasMadeAgainUnderItsNameIsNoProof() {
        boundClaim();
        pod("web");
        world.run();
        world.attach(BACKEND);
        world.store.put(
                Kinds.NODE, world.node().withMetadata(world.node().metadata().withUid("another")));
        world.run();
        assertThat(world.calls).isEmpty();
    }

    @Test
    void afterARebootWhatSessionsKeepIsUndoneOnceAndDoneAgain() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.reboot();
        world.run();

        assertThat(world.calls)
                .containsExactly(
                        "stage pv1", "publish pv1", "unpublish pv1", "unstage pv1", "stage pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void aReportOnItsWayThatLeavesTheVolumeOutHoldsTheStageUp() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        world.run();
        deletePod("a");
        List<Effect> reports = new ArrayList<>();
        world.storeFaults = effect -> {
            if (effect.operation().equals(Operations.REPORT_NODE)) {
                reports.add(effect);
                return Optional.of(StoreResult.failed(Failure.UNKNOWN, "no answer"));
            }
            return Optional.empty();
        };
        world.run(5);
        assertThat(reports).isNotEmpty();
        pod("b");
        world.run(5);
        assertThat(world.calls.stream().filter("stage pv1"::equals)).hasSize(1);

        world.storeFaults = effect -> Optional.empty();
        world.run();
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtEveryEffectConverges(boolean after) {
        int effects = storyWithCrash(-1, after).effects;
        assertThat(effects).isGreaterThan(15);
        for (int crash = 0; crash < effects; crash++) {
            World crashed = storyWithCrash(crash, after);
            assertThat(crashed.violations).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.mounts).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.staged).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.standing()).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.node().status().volumesInUse())
                    .as("crash at effect %d", crash)
                    .isEmpty();
        }
    }

    /** Two pods come, one after the other goes. */
    private static World storyWithCrash(int dieAt, boolean after) {
        StagedVolumesLoopTest story = new StagedVolumesLoopTest();
        story.world.dieAt = dieAt;
        story.world.dieAfter = after;
        story.boundClaim();
        story.pod("a");
        story.world.run();
        story.world.attach(BACKEND);
        story.pod("b");
        story.world.run();
        assertThat(story.phase("a")).as("crash at effect %d", dieAt).contains(PodPhase.RUNNING);
        assertThat(story.phase("b")).as("crash at effect %d", dieAt).contains(PodPhase.RUNNING);
        story.deletePod("a");
        story.world.run();
        story.deletePod("b");
        story.world.run();
        return story.world;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRebootAtEveryEffectConverges(boolean after) {
        int effects = storyWithCrash(-1, after).effects;
        for (int crash = 0; crash < effects; crash++) {
            StagedVolumesLoopTest story = new StagedVolumesLoopTest();
            story.world.dieAt = crash;
            story.world.dieAfter = after;
            story.world.diesWithTheMachine = true;
            story.boundClaim();
            story.pod("a");
            story.world.attach(BACKEND);
            story.world.run();
            assertThat(story.phase("a")).as("crash at effect %d", crash).contains(PodPhase.RUNNING);
            story.deletePod("a");
            story.world.run();
            assertThat(story.world.violations).as("crash at effect %d", crash).isEmpty();
            assertThat(story.world.standing()).as("crash at effect %d", crash).isEmpty();
        }
    }

    @Test
    void whatSomebodyUnmountedIsFoundAtTheStart() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.mounts.clear();
        world.mounted.clear();
        world.restart();
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatAContainerUsesIsNotMountedBeneathIt() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        Pod pod = world.store.get(Kinds.POD, ObjectKey.of("ns", "web")).orElseThrow();
        ContainerStatus runs = new ContainerStatus("main", ContainerStatus.State.EMPTY);
        world.store.put(Kinds.POD, pod.withStatus(pod.status().withContainerStatuses(List.of(runs))));
        world.mounts.clear();
        world.mounted.clear();
        world.restart();
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        assertThat(world.eventReasons()).anyMatch(event -> event.startsWith("VolumeLost: "));
    }

    @Test
    void noPodGetsABareStagingDirectory() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        world.run();
        boolean[] refuse = {true};
        world.faults = call -> refuse[0] && call instanceof UnstageCall
                ? Optional.of(Outcome.uncertain("no answer"))
                : Optional.empty();
        // the process dies between the last unpublish and the append of UNDO
        world.dieAt = world.effects + 2;
        deletePod("a");
        world.run(1);
        refuse[0] = false;
        world.staged.clear();
        pod("b");
        world.run();
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void oneReadWriteOncePodVolumeHasOnePodUntilItsRecordIsGone() {
        boundClaim();
        PersistentVolume volume = Objects.volume("pv1", "data");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(volume.spec().withAccessModes(List.of(AccessMode.READ_WRITE_ONCE_POD))));
        world.attach(BACKEND);
        pod("a");
        world.run();
        pod("b");
        boolean[] stuck = {true};
        world.faults = call -> stuck[0] && call instanceof UnpublishCall
                ? Optional.of(Outcome.uncertain("no answer"))
                : Optional.empty();
        deletePod("a");
        world.run();
        assertThat(phase("b")).contains(PodPhase.PENDING);
        assertThat(world.eventReasons())
                .contains("FailedMount: volume uses the ReadWriteOncePod access mode and is already in use by another"
                        + " pod");

        stuck[0] = false;
        world.run();
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.mounts).hasSize(1);
    }

    private static Pod labelledPod(String name, String level) {
        Pod pod = Objects.pod(name, Objects.claimed("v", "data"));
        VolumeMount mount = new VolumeMount("v", "/v", false, "", "", Optional.empty());
        PodSecurityContext context =
                PodSecurityContext.EMPTY.withSeLinuxOptions(Optional.of(SELinuxOptions.EMPTY.withLevel(level)));
        return pod.withSpec(pod.spec()
                .withContainers(List.of(new Container("main", "image", List.of(mount), List.of())))
                .withSecurityContext(level.isEmpty() ? Optional.empty() : Optional.of(context)));
    }

    private static World labellingWorld(StoragePlugin plugin, boolean seLinux, AccessMode mode) {
        World world = new World(plugin, Objects.CONFIG.withSELinux(seLinux));
        world.store.put(Kinds.NODE, Objects.node());
        PersistentVolume volume = Objects.volume("pv1", "data");
        world.store.put(Kinds.PERSISTENT_VOLUME, volume.withSpec(volume.spec().withAccessModes(List.of(mode))));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("data", "pv1"));
        world.attach(BACKEND);
        return world;
    }

    private static List<List<String>> optionsOfStages(World world) {
        List<List<String>> seen = new ArrayList<>();
        world.faults = call -> {
            if (call instanceof StageCall stage) {
                seen.add(stage.spec().mountOptions());
            }
            return Optional.empty();
        };
        return seen;
    }

    @Test
    void aVolumeOfOnePodIsMountedWithThePodsLabelAndAnewForAnother() {
        World labelling = labellingWorld(new FakePlugin.Labelled(), true, AccessMode.READ_WRITE_ONCE_POD);
        List<List<String>> options = optionsOfStages(labelling);
        labelling.store.put(Kinds.POD, labelledPod("a", "s0:c1,c2"));
        labelling.run();
        assertThat(options).containsExactly(List.of("context=\"system_u:object_r:container_file_t:s0:c1,c2\""));
        assertThat(labelling.standing())
                .filteredOn(RecordEntry.Stage.class::isInstance)
                .singleElement()
                .satisfies(entry -> assertThat(((RecordEntry.Stage) entry).seLinuxLabel())
                        .contains("system_u:object_r:container_file_t:s0:c1,c2"));
        labelling.store.put(Kinds.POD, labelledPod("b", "s0:c3"));
        Pod first = labelling.store.get(Kinds.POD, ObjectKey.of("ns", "a")).orElseThrow();
        labelling.store.put(
                Kinds.POD, first.withMetadata(first.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))));
        labelling.run();
        assertThat(options)
                .hasSize(2)
                .last()
                .isEqualTo(List.of("context=\"system_u:object_r:container_file_t:s0:c3\""));
        assertThat(labelling.mounts).hasSize(1);
        assertThat(labelling.violations).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, READ_WRITE_ONCE, s0:c1",
        "true, true, READ_WRITE_MANY, s0:c1",
        "true, false, READ_WRITE_ONCE_POD, s0:c1",
        "false, true, READ_WRITE_ONCE_POD, s0:c1",
        "true, true, READ_WRITE_ONCE_POD, ''",
    })
    void otherwiseAVolumeHasNoLabel(boolean taken, boolean seLinux, AccessMode mode, String level) {
        World other = labellingWorld(taken ? new FakePlugin.Labelled() : new FakePlugin.Staged(), seLinux, mode);
        List<List<String>> options = optionsOfStages(other);
        other.store.put(Kinds.POD, labelledPod("a", level));
        other.run();
        assertThat(options).containsExactly(List.of());
        assertThat(other.mounts).hasSize(1);
    }

    @Test
    void containersThatWantOneVolumeWithTwoLabelsAreTold() {
        World labelling = labellingWorld(new FakePlugin.Labelled(), true, AccessMode.READ_WRITE_ONCE_POD);
        Pod pod = labelledPod("a", "s0:c1");
        Container other = pod.spec()
                .containers()
                .get(0)
                .withName("other")
                .withSecurityContext(Optional.of(SecurityContext.EMPTY.withSeLinuxOptions(
                        Optional.of(SELinuxOptions.EMPTY.withLevel("s0:c2")))));
        labelling.store.put(
                Kinds.POD,
                pod.withSpec(pod.spec()
                        .withContainers(List.of(pod.spec().containers().get(0), other))));
        labelling.run();
        assertThat(labelling.mounts).isEmpty();
        assertThat(labelling.standing()).isEmpty();
        assertThat(labelling.eventReasons())
                .singleElement()
                .asString()
                .contains("FailedMount", "different SELinux labels", "s0:c1", "s0:c2");
    }

    /** The handshake was made for a call that could not be made then; in the meantime the volume was taken away by force. */
    @Test
    void whatWasReadBeforeABackOffIsNotBelievedAfterIt() {
        boundClaim();
        pod("web");
        world.run();
        boolean[] refuse = {true};
        world.faults = call ->
                refuse[0] && call instanceof StageCall ? Optional.of(Outcome.deferred("busy")) : Optional.empty();
        world.attach(BACKEND);
        world.run(1);
        refuse[0] = false;
        world.setAttached(List.of());
        world.store.put(Kinds.VOLUME_ATTACHMENT, Objects.attachment(BACKEND, false));
        world.run();
        assertThat(world.violations).isEmpty();
        assertThat(world.staged).isEmpty();
        world.attach(BACKEND);
        world.run();
        assertThat(phase("web")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    /** The kernel says that a mount has gone: it is missed at once, without a restart and without looking. */
    @Test
    void whatSomebodyUnmountsComesBack() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        Path target = world.mounts.keySet().iterator().next();
        int before = world.effects;
        world.mountNews.changed(new MountNews.Change(Set.of(), Set.of(Path.of("/mnt/elsewhere"))));
        world.run();
        assertThat(world.effects).isEqualTo(before);

        world.unmountedBySomebody(target);
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "publish pv1");
        assertThat(world.mounts).containsKey(target);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatSomebodyUnmountsBeneathAContainerIsTold() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        containers("web", new ContainerStatus("main", ContainerStatus.State.EMPTY));
        world.unmountedBySomebody(world.mounts.keySet().iterator().next());
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        assertThat(world.eventReasons()).anyMatch(event -> event.startsWith("VolumeLost: "));
    }

    /** A pod's mark of deletion says that it shall end, not that it has (S7). */
    @Test
    void nothingIsTakenFromContainersThatStillRun() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        containers("web", new ContainerStatus("main", ContainerStatus.State.EMPTY));
        deletePod("web");
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1");
        containers(
                "web",
                new ContainerStatus(
                        "main",
                        new ContainerStatus.State(Optional.empty(), Optional.empty(), Optional.of(Document.empty()))));
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
    }

    private void containers(String pod, ContainerStatus status) {
        Pod found = world.store.get(Kinds.POD, ObjectKey.of("ns", pod)).orElseThrow();
        world.store.put(Kinds.POD, found.withStatus(found.status().withContainerStatuses(List.of(status))));
    }

    /** Pods and the store's answers at random; what must never happen is judged at every call. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void nothingForbiddenHappensInRandomWorlds(int seed) {
        Random random = new Random(seed);
        boundClaim();
        world.faults = call -> switch (random.nextInt(10)) {
            case 0 -> Optional.of(Outcome.uncertain("no answer"));
            case 1 -> Optional.of(Outcome.deferred("not now"));
            default -> Optional.empty();
        };
        world.storeFaults = effect -> random.nextInt(12) == 0
                ? Optional.of(
                        StoreResult.failed(random.nextBoolean() ? Failure.UNKNOWN : Failure.UNAVAILABLE, "no answer"))
                : Optional.empty();
        for (int step = 0; step < 60; step++) {
            String pod = "p" + random.nextInt(4);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (world.store.get(Kinds.POD, ObjectKey.of("ns", pod)).isEmpty()) {
                        pod(pod);
                    }
                }
                case 3, 4 -> deletePod(pod);
                case 5 -> world.restart();
                case 6 -> {
                    if (random.nextInt(4) == 0) {
                        world.reboot();
                    }
                }
                default -> attachOrDetach(random);
            }
            world.run(random.nextInt(20));
        }
        world.faults = call -> Optional.empty();
        world.storeFaults = effect -> Optional.empty();
        world.attach(BACKEND);
        for (int i = 0; i < 4; i++) {
            deletePod("p" + i);
        }
        world.run(2_000);
        assertThat(world.violations).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(world.staged).isEmpty();
        assertThat(inUse()).isEmpty();
    }

    /** As a controller does: it takes a volume out of the Node's list only if nobody reports it in use. */
    private void attachOrDetach(Random random) {
        if (random.nextBoolean()) {
            world.attach(BACKEND);
        } else if (!inUse().contains(NAME)) {
            world.setAttached(List.of());
            world.store.put(Kinds.VOLUME_ATTACHMENT, Objects.attachment(BACKEND, false));
        }
    }

    /** Before the machine goes down what no container uses goes too; the next boot shows it again. */
    @Test
    void i31_anOrderedShutdownTakesAwayWhatNoContainerUses() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.shutdownNews.begins();
        world.run();
        assertThat(world.calls).containsExactly("stage pv1", "publish pv1", "unpublish pv1", "unstage pv1");
        assertThat(inUse()).isEmpty();
        pod("late");
        world.run();
        assertThat(world.calls).as("nothing is shown any more").hasSize(4);

        world.reboot();
        world.run();
        assertThat(world.calls.subList(4, world.calls.size())).startsWith("stage pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void i31_whatContainersOfSomebodyElseMayUseStays() {
        World others = World.withDevices(Objects.CONFIG.withoutPodLifecycle());
        others.store.put(Kinds.PERSISTENT_VOLUME, Objects.volume("pv1", "data"));
        others.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("data", "pv1"));
        others.attach(BACKEND);
        Pod pod = Objects.pod("web", Objects.claimed("v", "data"));
        others.store.put(Kinds.POD, pod);
        others.run();
        ContainerStatus runs = new ContainerStatus("main", ContainerStatus.State.EMPTY);
        others.store.put(Kinds.POD, pod.withStatus(pod.status().withContainerStatuses(List.of(runs))));
        others.run();
        others.shutdownNews.begins();
        others.run();
        assertThat(others.calls).containsExactly("stage pv1", "publish pv1");
    }

    /** A reservation at the storage may know more than the attachment: nothing was done, so nothing has to be undone. */
    @Test
    void s15_aVolumeThatServesAnotherNodeIsToldWithItsNameAndTriedAgain() {
        boundClaim();
        world.attach(BACKEND);
        boolean[] held = {true};
        world.faults = call -> held[0] && call instanceof StageCall
                ? Optional.of(new Outcome.InUseElsewhere<>(
                        List.of(new NodeRef("other-node", "uid-2")), "the volume is reserved"))
                : Optional.empty();
        pod("web");
        world.run(30);
        assertThat(world.events)
                .filteredOn(event -> event.reason().equals("FailedMount"))
                .isNotEmpty()
                .allSatisfy(event ->
                        assertThat(event.message()).isEqualTo("the volume is reserved (in use on other-node)"));
        assertThat(world.calls).doesNotContain("publish pv1");
        assertThat(phase("web")).contains(PodPhase.PENDING);

        held[0] = false;
        world.run(200);
        assertThat(phase("web")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    private static long completions(World world) {
        return world.calls.stream().filter("complete pv1"::equals).count();
    }

    private void stagedWithoutAPath() {
        boundClaim();
        world.attach(BACKEND);
        world.faults = call -> {
            if (call instanceof StageCall stage) {
                world.stage(stage);
                return Optional.of(Outcome.done(new PluginState(1, "without 10.0.0.2:3260")));
            }
            return call instanceof CompleteCall
                    ? Optional.of(
                            new Outcome.Deferred<>("10.0.0.2:3260 does not answer", Optional.of(Duration.ofMinutes(1))))
                    : Optional.empty();
        };
        pod("web");
        world.run(20);
    }

    @Test
    void whatWasMissingWhenItWasStagedIsAskedForUntilItIsThere() {
        stagedWithoutAPath();
        assertThat(phase("web")).contains(PodPhase.RUNNING);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathMissing: without 10.0.0.2:3260");
        assertThat(completions(world)).isZero();

        world.run(3600);
        assertThat(completions(world)).isBetween(20L, 60L);
        assertThat(world.calls).filteredOn("stage pv1"::equals).hasSize(1);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathMissing: without 10.0.0.2:3260");

        world.faults = call -> Optional.empty();
        world.run(300);
        long tries = completions(world);
        assertThat(world.eventReasons())
                .containsOnlyOnce("VolumePathsComplete: nothing of volume pv1 is missing any more");
        assertThat(world.standing())
                .anySatisfy(entry -> assertThat(entry.state().content()).isEqualTo("completed pv1"));
        int decisions = world.decisions;
        world.run(36_000);
        assertThat(completions(world)).isEqualTo(tries);
        assertThat(world.decisions).isEqualTo(decisions);
        assertThat(world.violations).isEmpty();
    }

    /** Such as one that says what it lacks and cannot add it. */
    @Test
    void aPluginThatHasDoneAllAndStillLacksSomethingIsNotAskedWithoutRest() {
        stagedWithoutAPath();
        world.faults = call -> call instanceof CompleteCall && completions(world) < 100
                ? Optional.of(Outcome.done(new PluginState(1, "without 10.0.0.2:3260")))
                : Optional.empty();
        world.run(300);
        assertThat(completions(world)).isBetween(1L, 15L);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathMissing: without 10.0.0.2:3260");
    }

    @Test
    void whatIsMissingIsAddedWithTheLabelThatItWasStagedWith() {
        World labelling = labellingWorld(new FakePlugin.Labelled(), true, AccessMode.READ_WRITE_ONCE_POD);
        List<List<String>> options = new ArrayList<>();
        labelling.faults = call -> {
            if (call instanceof StageCall stage) {
                labelling.stage(stage);
                return Optional.of(Outcome.done(new PluginState(1, "without 10.0.0.2:3260")));
            } else if (call instanceof CompleteCall complete) {
                options.add(complete.spec().mountOptions());
            }
            return Optional.empty();
        };
        labelling.store.put(Kinds.POD, labelledPod("a", "s0:c1"));
        labelling.run(120);
        assertThat(options).containsExactly(List.of("context=\"system_u:object_r:container_file_t:s0:c1\""));
    }

    @Test
    void whatIsMissingIsAskedForByTheNextProcessToo() {
        stagedWithoutAPath();
        world.faults = call -> Optional.empty();
        world.restart();
        world.run(120);
        assertThat(completions(world)).isEqualTo(1);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void nothingMissingIsAskedForOnceTheVolumeIsNotAttachedHereOrNobodyUsesIt() {
        stagedWithoutAPath();
        world.store.put(Kinds.VOLUME_ATTACHMENT, Objects.attachment(BACKEND, false));
        world.run(3600);
        assertThat(completions(world)).isZero();

        world.attach(BACKEND);
        world.run(600);
        assertThat(completions(world)).isPositive();
        deletePod("web");
        world.run(600);
        long tries = completions(world);
        world.run(3600);
        assertThat(completions(world)).isEqualTo(tries);
        assertThat(world.calls).endsWith("unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(world.violations).isEmpty();
    }
}
