// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The modification of a volume by a plugin, through the binder's own controllers (semantics/binder §3.5). */
@Tag("long")
class ModificationTest {
    private static final Duration LONG = Duration.ofHours(1);

    private static Cluster cluster(long seed) {
        Cluster cluster = ExpandedDiskPlugin.cluster(seed);
        create(cluster, "fast", ExpandedDiskPlugin.NAME);
        create(cluster, "slow", ExpandedDiskPlugin.NAME);
        cluster.settle();
        cluster.writes.clear();
        return cluster.countingFromOne();
    }

    private static Cluster cluster() {
        return cluster(1);
    }

    static void create(Cluster cluster, String name, String driver) {
        cluster.store
                .create(
                        Kinds.VOLUME_ATTRIBUTES_CLASS,
                        new VolumeAttributesClass(ObjectMeta.named(name), driver, Map.of("tier", name)))
                .orThrow();
    }

    private static String under(Cluster cluster) {
        return cluster.claim("data")
                .status()
                .modifyVolumeStatus()
                .map(ModificationTest::text)
                .orElse("");
    }

    private static String text(ModifyVolumeStatus status) {
        return status.targetVolumeAttributesClassName() + " " + status.status();
    }

    private static List<String> asked(Cluster cluster) {
        return cluster.calls.stream()
                .map(call -> ((ModifyCall) call).parameters().get("tier"))
                .toList();
    }

    private static void assertHas(Cluster cluster, String wanted) {
        assertThat(cluster.claim("data").status().currentVolumeAttributesClassName())
                .contains(wanted);
        assertThat(cluster.volume("pv").spec().volumeAttributesClassName()).contains(wanted);
        assertThat(under(cluster)).isEmpty();
        assertThat(ExpandedDiskPlugin.conditions(cluster)).isEmpty();
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void modifiesAndThenDoesNothing() {
        Cluster cluster = ExpandedDiskPlugin.want(cluster(), "fast").settle();
        assertHas(cluster, "fast");
        assertThat(asked(cluster)).containsExactly("fast");
        assertThat(cluster.reasons()).containsExactly("VolumeModify", "VolumeModifySuccessful");
        assertThat(cluster.writes).hasSize(3);
        cluster.assertAtRest();
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void waitsForAClassThatDoesNotExist() {
        Cluster cluster = ExpandedDiskPlugin.want(cluster(), "later").advance(LONG);
        assertThat(under(cluster)).isEqualTo("later Pending");
        assertThat(cluster.told("VolumeModifyFailed")).isEqualTo(1);
        assertThat(cluster.hasTimer()).isFalse();
        create(cluster, "later", ExpandedDiskPlugin.NAME);
        assertHas(cluster.settle(), "later");
    }

    @Test
    void takesNoClassOfAnotherDriver() {
        Cluster cluster = cluster();
        create(cluster, "theirs", "far.example.com");
        ExpandedDiskPlugin.want(cluster, "theirs").settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(under(cluster)).isEqualTo("theirs Pending");
    }

    @Test
    void aRefusedClassIsTriedAgainAfterFiveMinutesAndAnotherAtOnce() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.refused(Refusal.INVALID, "no such tier");
        ExpandedDiskPlugin.want(cluster, "fast").advance(Duration.ofMinutes(4));
        assertThat(under(cluster)).isEqualTo("fast Infeasible");
        assertThat(cluster.claim("data").status().conditions())
                .filteredOn(c -> c.type().equals("ModifyVolumeError"))
                .singleElement()
                .satisfies(c -> assertThat(c.reason()).isEqualTo("InvalidArgument"));
        cluster.advance(Duration.ofMinutes(2));
        assertThat(asked(cluster)).containsExactly("fast", "fast");
        assertThat(cluster.told("VolumeModifyFailed")).as("told once").isEqualTo(1);
        cluster.backend = call -> Outcome.done();
        ExpandedDiskPlugin.want(cluster, "slow").settle();
        assertThat(asked(cluster)).containsExactly("fast", "fast", "slow");
        assertHas(cluster, "slow");
    }

    @Test
    void whatWasBegunIsFinishedBeforeSomethingElse() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("lost");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        ExpandedDiskPlugin.want(cluster, "slow").advance(Duration.ofMinutes(1));
        cluster.restart();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(asked(cluster)).hasSizeGreaterThan(2).containsOnly("fast");
        assertThat(under(cluster)).isEqualTo("fast InProgress");
        cluster.backend = call -> Outcome.done();
        cluster.advance(Duration.ofMinutes(3));
        assertHas(cluster, "slow");
        assertThat(asked(cluster)).endsWith("fast", "slow");
    }

    @Test
    void whatWasSurelyNotBegunGivesWayAtOnce() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.deferred("not now");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        cluster.backend = call -> Outcome.done();
        ExpandedDiskPlugin.want(cluster, "slow").settle();
        assertThat(asked(cluster)).containsExactly("fast", "slow");
        assertHas(cluster, "slow");
    }

    @Test
    void whatIsInUseElsewhereWasNotBegunEither() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.inUseElsewhere(List.of(), "on n2");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        assertThat(cluster.told("VolumeModifyFailed")).isEqualTo(1);
        cluster.backend = call -> Outcome.done();
        ExpandedDiskPlugin.want(cluster, "slow").settle();
        assertThat(asked(cluster)).containsExactly("fast", "slow");
        assertHas(cluster, "slow");
    }

    @Test
    void aCallThatWasNotStartedSaysNothingAboutAnEarlierOneWhoseAnswerWasLost() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("lost");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        cluster.backend = call -> Outcome.deferred("not now");
        cluster.advance(Duration.ofSeconds(10));
        ExpandedDiskPlugin.want(cluster, "slow").advance(Duration.ofMinutes(1));
        assertThat(asked(cluster)).hasSizeGreaterThan(2).containsOnly("fast");
    }

    @Test
    void aLostAnswerIsShownUntilTheNextOne() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("lost");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        assertThat(cluster.claim("data").status().conditions())
                .filteredOn(c -> c.type().equals("ModifyVolumeError"))
                .singleElement()
                .satisfies(c -> assertThat(c.reason() + " " + c.message()).isEqualTo("Unknown lost"));
        assertThat(cluster.news)
                .extracting(Announcement::message)
                .containsExactly(
                        ExpandedDiskPlugin.NAME + " is modifying volume pv with vac fast",
                        "modify volume \"pv\" by \"" + ExpandedDiskPlugin.NAME + "\" with vac fast failed: lost");
        cluster.backend = call -> Outcome.done();
        assertHas(cluster.advance(Duration.ofMinutes(5)), "fast");
    }

    @Test
    void whatMayHaveBeenAppliedStaysInProgressThoughItsClassGoes() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("lost");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        delete(cluster, "fast").advance(Duration.ofMinutes(5));
        assertThat(under(cluster)).isEqualTo("fast InProgress");
        cluster.backend = call -> Outcome.done();
        create(cluster, "fast", ExpandedDiskPlugin.NAME);
        assertHas(cluster.advance(Duration.ofMinutes(5)), "fast");
    }

    @Test
    void whatWasRefusedWaitsForItsClassOnceThatHasGone() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.refused(Refusal.INVALID, "no such tier");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        delete(cluster, "fast").advance(Duration.ofMinutes(10));
        assertThat(under(cluster)).isEqualTo("fast Pending");
        assertThat(cluster.calls).hasSize(1);
    }

    /** A user deletes the class by hand, and its finalizer with it. */
    private static Cluster delete(Cluster cluster, String name) {
        VolumeAttributesClass found = cluster.store
                .get(Kinds.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster(name))
                .orThrow();
        cluster.store
                .update(
                        Kinds.VOLUME_ATTRIBUTES_CLASS,
                        new Change<>(found, found.withMetadata(found.metadata().withFinalizers(List.of()))))
                .orThrow();
        cluster.store
                .delete(Kinds.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster(name), DeleteOptions.DEFAULT)
                .orThrow();
        return cluster;
    }

    @Test
    void aWishThatIsTakenBackIsCancelled() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.refused(Refusal.INVALID, "no such tier");
        ExpandedDiskPlugin.want(cluster, "fast").settle();
        cluster.editClaim("data", c -> c.withSpec(c.spec().withVolumeAttributesClassName(Optional.empty())));
        cluster.advance(LONG);
        assertThat(cluster.told("VolumeModifyCanceled")).isEqualTo(1);
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("ModifyVolumeError");
        assertThat(under(cluster)).as("left, as upstream").isEqualTo("fast Infeasible");
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void aDeathOrAFailingWriteLeadsToTheSameEnd() {
        List<Object> end = ExpandedDiskPlugin.shown(
                ExpandedDiskPlugin.want(cluster(), "fast").advance(LONG));
        for (Death death : Death.atWritesAndCalls(3).toList()) {
            Cluster cluster = cluster();
            death.in(cluster);
            ExpandedDiskPlugin.want(cluster, "fast").advance(LONG);
            assertThat(ExpandedDiskPlugin.shown(cluster))
                    .as("I4, dies %s", death)
                    .isEqualTo(end);
        }
        for (int at = 1; at <= 3; at++) {
            for (Interception fault : List.of(
                    Interception.refuse(Failure.CONFLICT, "planted"),
                    Interception.refuse(Failure.UNAVAILABLE, "planted"),
                    Interception.loseAnswer("planted"))) {
                int number = at;
                Cluster cluster = cluster();
                cluster.fault = write -> write == number ? fault : Interception.PROCEED;
                ExpandedDiskPlugin.want(cluster, "fast").advance(LONG);
                assertThat(ExpandedDiskPlugin.shown(cluster))
                        .as("%s at %d", fault, at)
                        .isEqualTo(end);
            }
        }
    }

    /** Whatever happens on the way: while it is not known what became of a class, no other one is asked for. */
    @Test
    void randomLives() {
        for (long seed = 0; seed < 25L * Integer.getInteger("mooring.times", 1); seed++) {
            Random random = new Random(seed);
            Cluster cluster = cluster(seed).shuffled(seed);
            String[] inDoubt = {""};
            cluster.backend = call -> {
                String wanted = String.valueOf(((ModifyCall) call).parameters().get("tier"));
                assertThat(inDoubt[0]).as("in doubt").isIn("", wanted);
                int chance = random.nextInt(5);
                inDoubt[0] = chance == 1 ? wanted : chance == 2 ? inDoubt[0] : "";
                return switch (chance) {
                    case 0 -> Outcome.refused(Refusal.INVALID, "no");
                    case 1 -> Outcome.uncertain("lost");
                    case 2 -> Outcome.deferred("not now");
                    default -> Outcome.done();
                };
            };
            for (int step = 0; step < 10; step++) {
                ExpandedDiskPlugin.want(cluster, random.nextBoolean() ? "fast" : "slow");
                cluster.advance(Duration.ofSeconds(random.nextInt(400)));
                if (random.nextInt(4) == 0) {
                    cluster.restart();
                }
            }
            cluster.backend = call -> Outcome.done();
            cluster.advance(LONG);
            assertHas(
                    cluster,
                    cluster.claim("data").spec().volumeAttributesClassName().orElseThrow());
        }
    }
}
