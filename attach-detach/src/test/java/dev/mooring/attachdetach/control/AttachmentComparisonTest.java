// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.CompareCall;
import dev.mooring.attachdetach.calls.CompareCall.Compared;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What counts as attached is compared with what the storage says (semantics/csi §9.4). */
class AttachmentComparisonTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Map<String, String> THERE = Map.of("devicePath", "/dev/n1");

    private static AttachDetachWorld attached(boolean tells) {
        AttachedDiskPlugin plugin = new AttachedDiskPlugin(false, false);
        plugin.tells = tells;
        AttachDetachWorld world = new AttachDetachWorld(AttachDetachOptions.DEFAULT, plugin);
        world.backend = call -> call instanceof CompareCall ? compared(world, call) : Outcome.done(THERE);
        world.withPodOn("n1", "n2").settle();
        world.editStatus(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        (Node n) -> AttachDetachObjects.ready(n, ConditionStatus.TRUE))
                .settle();
        assertThat(world.truth("disk")).containsExactly("n1");
        world.calls.clear();
        return world;
    }

    private static Outcome<?> compared(AttachDetachWorld world, Call call) {
        boolean again = !world.truth(call.volume()).contains(call.node());
        return Outcome.done(new Compared(again, again ? Map.of("devicePath", "/dev/another") : Map.of()));
    }

    private static long comparisons(AttachDetachWorld world) {
        return world.calls.stream()
                .filter(call -> call.equals("compare-attachment disk n1"))
                .count();
    }

    @Test
    void itIsComparedOnceAMinuteHoweverOftenItsNodeIsHeardOf() {
        AttachDetachWorld world = attached(true);
        for (int second = 0; second < 120; second += 10) {
            world.advance(Duration.ofSeconds(10)).settle();
            world.editStatus(
                            Kinds.NODE,
                            ObjectKey.cluster("n1"),
                            (Node n) -> AttachDetachObjects.ready(n, ConditionStatus.TRUE))
                    .settle();
        }
        assertThat(comparisons(world)).isEqualTo(2);
        assertThat(world.news).noneMatch(news -> news.reason().equals(AttachmentComparison.LOST));
        assertThat(world.violations).isEmpty();
    }

    @Test
    void whatTheStorageHasDetachedIsAttachedAgainShownAndTold() {
        AttachDetachWorld world = attached(true);
        world.lose("disk", "n1").advance(MINUTE).settle();
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.news)
                .filteredOn(news -> news.reason().equals(AttachmentComparison.LOST))
                .singleElement()
                .satisfies(news -> assertThat(news.message())
                        .isEqualTo("volume \"disk\" was not attached to node \"n1\" any more, as its storage says,"
                                + " and was attached again"));
        assertThat(world.store
                        .get(Kinds.VOLUME_ATTACHMENT, AttachDetachWorld.nameOf("disk", "n1"))
                        .orThrow()
                        .status()
                        .attachmentMetadata())
                .containsEntry("devicePath", "/dev/another");
        assertThat(world.calls).containsExactly("compare-attachment disk n1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void oneThatCannotBeAttachedAgainIsToldAndTriedAgain() {
        AttachDetachWorld world = attached(true);
        world.backend = call ->
                call instanceof CompareCall ? Outcome.uncertain("the driver does not answer") : Outcome.done(THERE);
        world.lose("disk", "n1").advance(MINUTE).settle();
        assertThat(world.news)
                .anySatisfy(news ->
                        assertThat(news.message()).endsWith("cannot be attached again: the driver does not answer"));
        world.advance(MINUTE).settle();
        assertThat(comparisons(world)).isGreaterThan(1);
    }

    @Test
    void whatIsNotWantedIsDetachedAndNotCompared() {
        AttachDetachWorld world = attached(true);
        world.deletePod("a").settle();
        world.advance(Duration.ofMinutes(3)).settle();
        assertThat(world.truth("disk")).isEqualTo(Set.of());
        assertThat(comparisons(world)).isZero();
    }

    @Test
    void onANodeThatIsNotReadyNothingIsAttachedAgain() {
        AttachDetachWorld world = attached(true);
        world.editStatus(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        (Node n) -> AttachDetachObjects.ready(n, ConditionStatus.UNKNOWN))
                .settle();
        world.lose("disk", "n1").advance(Duration.ofMinutes(3)).settle();
        assertThat(comparisons(world)).isZero();
    }

    @Test
    void aPluginThatNeverKnowsIsNotAsked() {
        AttachDetachWorld world = attached(false);
        world.advance(Duration.ofMinutes(5)).settle();
        assertThat(world.calls).isEmpty();
    }
}
