// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two volume objects of one storage that nodes call by different names, as iSCSI does by the first portal's text. */
class OtherNamesTest {
    private static final String DISK = AttachDetachObjects.reported("disk");
    private static final String OTHER = AttachDetachObjects.reported("disk") + "other";
    private static final Duration LONG = Duration.ofDays(1);

    /** Pod {@code a} has the disk on n1; what pod {@code c} will want is the same disk by another name. */
    private static AttachDetachWorld world() {
        return world(new AttachDetachWorld().withPodOn("n1", "n2").inUse("n1", DISK));
    }

    private static AttachDetachWorld world(AttachDetachWorld world) {
        return world.load(
                        AttachDetachObjects.volumeBy("other", "disk2", "data2", "disk"),
                        AttachDetachObjects.claim("data2", "disk2"))
                .settle();
    }

    private static void assertOnlyListed(AttachDetachWorld world, String name) {
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).containsExactly(name);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void aPodThatCallsItOtherwiseGetsItUnderItsNameWhenTheOthersHaveLetGo() {
        AttachDetachWorld world =
                world().load(AttachDetachObjects.pod("c", "n1", "data2")).inUse("n1", DISK, OTHER);
        world.advance(LONG);
        assertOnlyListed(world, DISK);
        world.deletePod("a").advance(LONG);
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        world.inUse("n1", OTHER).advance(LONG);
        assertOnlyListed(world, OTHER);
        assertThat(world.told("c", AttachEvents.SUCCESSFUL)).hasSize(1);
    }

    @Test
    void aPodThatCallsItOtherwiseDoesNotTakeARequestToDetachBack() {
        AttachDetachWorld world = world().deletePod("a").settle();
        world.load(AttachDetachObjects.pod("c", "n1", "data2")).advance(LONG);
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        world.inUse("n1", OTHER).advance(LONG);
        assertOnlyListed(world, OTHER);
    }

    @Test
    void aPodOfTheOldNameTakesTheRequestToDetachBack() {
        AttachDetachWorld world = world().load(AttachDetachObjects.pod("c", "n1", "data2"))
                .deletePod("a")
                .advance(LONG);
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        world.load(AttachDetachObjects.pod("b", "n1", "data")).advance(LONG);
        assertOnlyListed(world, DISK);
    }

    @Test
    void aPodThatWaitsForTheOldNameToGoIsToldOnceWhichPodUsesIt() {
        AttachDetachWorld world =
                world().load(AttachDetachObjects.pod("c", "n1", "data2")).advance(LONG);
        assertThat(world.told("c", AttachEvents.FAILED))
                .singleElement()
                .asString()
                .contains("\"disk2\"", "under the name of another volume", "pod(s) a");
        assertThat(world.told("a", AttachEvents.FAILED)).isEmpty();
        world.load(AttachDetachObjects.pod("b", "n2", "data")).advance(LONG);
        assertThat(world.told("c", AttachEvents.FAILED)).hasSize(1);
    }

    @Test
    void whoWaitsForTheOldNameToGoIsToldAgainWhenItsPodsHaveGone() {
        AttachDetachWorld world =
                world().load(AttachDetachObjects.pod("c", "n1", "data2")).advance(LONG);
        world.deletePod("a").advance(LONG);
        assertThat(world.told("c", AttachEvents.FAILED))
                .hasSize(2)
                .last()
                .asString()
                .contains("under the name of another volume")
                .doesNotContain("pod(s) a");
    }

    /** S15. */
    @Test
    void podsOfOtherNamespacesAreOnlyCounted() {
        Pod secret = AttachDetachObjects.pod("secret", "n1", "data");
        AttachDetachWorld world = world();
        world.deletePod("a")
                .load(
                        secret.withMetadata(secret.metadata().withNamespace("hidden")),
                        AttachDetachObjects.claim("data", "disk")
                                .withMetadata(AttachDetachObjects.claim("data", "disk")
                                        .metadata()
                                        .withNamespace("hidden")))
                .edit(
                        Kinds.PERSISTENT_VOLUME,
                        ObjectKey.cluster("disk"),
                        (PersistentVolume v) -> v.withSpec(
                                v.spec().withClaimRef(v.spec().claimRef().map(ref -> ref.withNamespace("hidden")))))
                .settle();
        world.load(AttachDetachObjects.pod("c", "n1", "data2")).advance(LONG);
        assertThat(world.told("c", AttachEvents.FAILED))
                .last()
                .asString()
                .contains("1 pod(s) in different namespaces")
                .doesNotContain("secret");
    }

    /** What one name has for reading is not taken off the node's list because another name waits to write. */
    @Test
    void aWriterByAnotherNameTakesNothingFromReaders() {
        AttachDetachWorld world =
                new AttachDetachWorld(AttachDetachOptions.DEFAULT, new AttachedDiskPlugin(true, false));
        PersistentVolume otherWay = AttachDetachObjects.volumeBy("other", "disk2", "data2", "shared");
        world.load(
                AttachDetachObjects.node("n1"),
                AttachDetachObjects.node("n2"),
                AttachDetachObjects.volume("shared", "data", AccessMode.READ_WRITE_MANY),
                AttachDetachObjects.claim("data", "shared"),
                AttachDetachObjects.pod("a", "n1", AttachDetachObjects.claimVolume("data", "data", true)),
                AttachDetachObjects.pod("b", "n2", AttachDetachObjects.claimVolume("data", "data", true)),
                otherWay.withSpec(otherWay.spec().withAccessModes(List.of(AccessMode.READ_WRITE_MANY))),
                AttachDetachObjects.claim("data2", "disk2"));
        world.settle();
        assertOnlyListed(world, AttachDetachObjects.reported("shared"));
        world.load(AttachDetachObjects.pod("c", "n1", "data2")).advance(LONG);
        assertOnlyListed(world, AttachDetachObjects.reported("shared"));
        assertThat(world.told("c", AttachEvents.FAILED))
                .singleElement()
                .asString()
                .contains("under the name of another volume");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void underEveryScheduleOneNameIsListedAtATime(long seed) {
        AttachDetachWorld world = world(new AttachDetachWorld().shuffled(seed).withPodOn("n1", "n2"));
        world.load(AttachDetachObjects.pod("c", "n1", "data2"))
                .inUse("n1", DISK, OTHER)
                .advance(LONG);
        for (String next : List.of("a", "c")) {
            String listed =
                    AttachDetachWorld.attachedTo(world.node("n1")).iterator().next();
            assertOnlyListed(world, listed);
            String left = listed.equals(DISK) ? OTHER : DISK;
            world.deletePod(listed.equals(DISK) ? "a" : "c");
            if (next.equals("a")) {
                world.inUse("n1", left).advance(LONG);
            }
        }
        world.inUse("n1").advance(LONG);
        assertThat(world.attachments()).isEmpty();
        assertThat(world.violations).isEmpty();
    }
}
