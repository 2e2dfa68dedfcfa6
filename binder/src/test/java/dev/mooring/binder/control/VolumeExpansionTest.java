// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expansion of a volume by a plugin, through the binder's own controllers (semantics/binder §3.5). */
class VolumeExpansionTest extends ExpansionWorld {
    @Test
    void growsAndThenDoesNothing() {
        Cluster cluster = ExpandedDiskPlugin.request(cluster(), "3Gi").settle();
        assertGrown(cluster, "3Gi");
        assertThat(cluster.claim("data").metadata().annotation(Annotations.NODE_EXPANSION_NOT_REQUIRED))
                .contains("true");
        assertThat(cluster.reasons()).containsExactly("Resizing", "VolumeResizeSuccessful");
        assertThat(cluster.writes).hasSize(4);
        cluster.assertAtRest();
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void leavesTheFileSystemToTheNodeAndForgetsTheOldSizeWhenItIsDone() {
        nodeStep = true;
        Cluster cluster = ExpandedDiskPlugin.request(cluster(), "3Gi").settle();
        assertThat(resize(cluster)).isEqualTo("NodeResizePending");
        assertThat(capacity(cluster)).isEqualTo("1Gi");
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("3Gi"));
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.PRE_RESIZE_CAPACITY))
                .contains("1Gi");
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("FileSystemResizePending");
        assertThat(cluster.reasons()).containsExactly("Resizing", "FileSystemResizeRequired");
        cluster.restart();
        cluster.advance(LONG);
        assertThat(cluster.calls).as("the node's turn").hasSize(1);
        assertThat(cluster.reasons())
                .as("that it lasts is no failure")
                .containsExactly("Resizing", "FileSystemResizeRequired", "FileSystemResizeRequired");
        nodeFinishes(cluster, "3Gi");
        assertGrown(cluster.settle(), "3Gi");
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void aClaimThatWaitsForTheNodeSaysSoAgainWhenMoreIsAskedFor() {
        nodeStep = true;
        Cluster cluster = ExpandedDiskPlugin.request(cluster(), "3Gi").settle();
        cluster.advance(LONG);
        int before = cluster.reasons().size();
        ExpandedDiskPlugin.request(cluster, "5Gi").advance(LONG);
        assertThat(cluster.calls).as("the node's turn").hasSize(1);
        assertThat(cluster.reasons()).hasSize(before + 1).endsWith("FileSystemResizeRequired");
    }

    @Test
    void whatIsWithdrawnAndAskedForAgainIsAnotherWait() {
        nodeStep = true;
        Cluster cluster = ExpandedDiskPlugin.request(cluster(), "3Gi").settle();
        cluster.advance(LONG);
        ExpandedDiskPlugin.request(cluster, "1Gi").settle();
        int before = cluster.reasons().size();
        cluster.advance(LONG);
        assertThat(cluster.reasons()).as("it has what it asks for").hasSize(before);
        ExpandedDiskPlugin.request(cluster, "3Gi").advance(LONG);
        assertThat(cluster.reasons()).hasSize(before + 1).endsWith("FileSystemResizeRequired");
    }

    private static void nodeFinishes(Cluster cluster, String size) {
        PersistentVolumeClaim before = cluster.claim("data");
        cluster.store
                .updateStatus(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                before,
                                before.withStatus(before.status()
                                        .withCapacity(Map.of("storage", Quantity.parse(size)))
                                        .withAllocatedResourceStatuses(Map.of())
                                        .withConditions(List.of()))))
                .orThrow();
    }

    /** What that went for stays in the status (A), and going for it again would never end: the claim would still have too little. */
    @Test
    void goesForWhatIsWantedNowIfAUserMadeTheVolumeLargerAfterAnEarlierExpansion() {
        Cluster cluster = ExpandedDiskPlugin.request(cluster(), "3Gi").settle();
        cluster.afterEachStep = () -> assertThat(cluster.calls).hasSizeLessThan(5);
        PersistentVolume before = cluster.volume("pv");
        cluster.store
                .update(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(before, before.withSpec(before.spec().withStorage(Quantity.parse("9Gi")))))
                .orThrow();
        ExpandedDiskPlugin.request(cluster.settle(), "5Gi").settle();
        assertThat(asked(cluster)).containsExactly("3Gi", "5Gi");
        assertThat(capacity(cluster)).isEqualTo("5Gi");
        assertThat(resize(cluster)).isEmpty();
    }

    /** X3: upstream's test of the same. */
    @Test
    void theOldSizeOnTheVolumeAloneStartsNothing() {
        Cluster cluster = cluster().annotateVolume("pv", Annotations.PRE_RESIZE_CAPACITY, "1Gi");
        cluster.settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.PRE_RESIZE_CAPACITY))
                .as("X5b")
                .isEmpty();
    }

    @Test
    void anExpansionThatTheNodeFoundInfeasibleIsCheckedWithTheBackEnd() {
        nodeStep = true;
        Cluster cluster = ExpandedDiskPlugin.request(cluster(), "3Gi").settle();
        PersistentVolumeClaim before = cluster.claim("data");
        cluster.store
                .updateStatus(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                before,
                                before.withStatus(before.status()
                                        .withAllocatedResourceStatuses(Map.of("storage", "NodeResizeInfeasible")))))
                .orThrow();
        cluster.settle();
        assertThat(asked(cluster)).containsExactly("3Gi", "3Gi");
        assertThat(resize(cluster)).isEqualTo("NodeResizePending");
    }

    @Test
    void aRefusedSizeIsAskedForAgainAfterFiveMinutesAndALowerOneAtOnce() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "full");
        ExpandedDiskPlugin.request(cluster, "9Gi").advance(Duration.ofMinutes(4));
        assertThat(asked(cluster)).containsExactly("9Gi");
        assertThat(resize(cluster)).isEqualTo("ControllerResizeInfeasible");
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("Resizing", "ControllerResizeError");
        cluster.advance(Duration.ofMinutes(2));
        assertThat(asked(cluster)).containsExactly("9Gi", "9Gi");
        assertThat(cluster.told("VolumeResizeFailed")).as("told once").isEqualTo(1);
        cluster.backend = this::grow;
        ExpandedDiskPlugin.request(cluster, "2Gi").settle();
        assertThat(asked(cluster)).containsExactly("9Gi", "9Gi", "2Gi");
        assertGrown(cluster, "2Gi");
    }

    @Test
    void aRefusedExpansionThatNoClaimWantsAnyMoreIsForgotten() {
        Cluster cluster = cluster();
        List<Object> before = ExpandedDiskPlugin.shown(cluster);
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "full");
        ExpandedDiskPlugin.request(cluster, "9Gi").settle();
        ExpandedDiskPlugin.request(cluster, "1Gi").settle();
        assertThat(ExpandedDiskPlugin.shown(cluster)).isEqualTo(before);
        cluster.advance(LONG);
        assertThat(cluster.calls).hasSize(1);
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void theTargetIsNotLoweredWhileTheOutcomeIsUnknown() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.uncertain("connection reset");
        ExpandedDiskPlugin.request(cluster, "9Gi").settle();
        ExpandedDiskPlugin.request(cluster, "2Gi").advance(Duration.ofMinutes(1));
        cluster.restart();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(asked(cluster)).hasSizeGreaterThan(3).containsOnly("9Gi");
        assertThat(resize(cluster)).isEqualTo("ControllerResizeInProgress");
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("Resizing");
        assertThat(cluster.told("VolumeResizeFailed"))
                .as("told by each process once")
                .isEqualTo(2);
        cluster.backend = this::grow;
        cluster.advance(Duration.ofMinutes(3));
        assertGrown(cluster, "9Gi");
    }

    /** Whether the first call had an effect stays unknown: the others say nothing of it. */
    @Test
    void aCallThatWasNotStartedLeavesAnEarlierOneInDoubt() {
        Cluster cluster = cluster();
        cluster.backend =
                call -> cluster.calls.size() == 1 ? Outcome.uncertain("connection reset") : Outcome.deferred("not now");
        ExpandedDiskPlugin.request(cluster, "9Gi").advance(Duration.ofMinutes(1));
        ExpandedDiskPlugin.request(cluster, "2Gi").advance(Duration.ofMinutes(1));
        assertThat(asked(cluster)).hasSizeGreaterThan(3).containsOnly("9Gi");
        cluster.backend = this::grow;
        assertGrown(cluster.advance(Duration.ofMinutes(5)), "9Gi");
    }

    /** The process that asked is no more; its successor knows of no answer either. */
    @Test
    void aCallThatWasNotStartedLeavesThatOfAnEarlierProcessInDoubt() {
        Cluster cluster = cluster();
        cluster.diesAfterCall = call -> call == 1;
        cluster.backend = call -> Outcome.deferred("not now");
        ExpandedDiskPlugin.request(cluster, "9Gi").advance(Duration.ofMinutes(1));
        ExpandedDiskPlugin.request(cluster, "2Gi").advance(Duration.ofMinutes(1));
        assertThat(asked(cluster)).hasSizeGreaterThan(3).containsOnly("9Gi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"deferred", "in use elsewhere"})
    void theTargetIsLoweredWhenTheCallSurelyHadNoEffect(String answer) {
        Cluster cluster = cluster();
        cluster.backend = call -> answer.equals("deferred")
                ? Outcome.deferred("the portal is down")
                : new Outcome.InUseElsewhere<>(List.of(), "another node has it");
        ExpandedDiskPlugin.request(cluster, "9Gi").settle();
        assertThat(ExpandedDiskPlugin.conditions(cluster)).containsExactly("Resizing", "ControllerResizeError");
        cluster.backend = this::grow;
        ExpandedDiskPlugin.request(cluster, "2Gi").settle();
        assertThat(asked(cluster)).containsExactly("9Gi", "2Gi");
        assertGrown(cluster, "2Gi");
    }

    @Test
    void moreThanWasAskedForIsShown() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.done(new Expansion(Quantity.parse("4Gi"), false));
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(capacity(cluster)).isEqualTo("4Gi");
        assertThat(allocated(cluster)).isEqualTo("3Gi");
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("4Gi"));
    }

    @Test
    void aPluginThatAnswersWithLessThanWasAskedForIsNotBelievedNorAskedInALoop() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.done(new Expansion(Quantity.parse("2Gi"), false));
        ExpandedDiskPlugin.request(cluster, "3Gi").advance(Duration.ofMinutes(4));
        assertThat(cluster.calls).hasSize(1);
        assertThat(capacity(cluster)).isEqualTo("1Gi");
        assertThat(resize(cluster)).isEqualTo("ControllerResizeInfeasible");
    }

    @Test
    void aPluginThatAnswersWithoutASizeIsNotBelieved() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.done();
        ExpandedDiskPlugin.request(cluster, "3Gi").advance(Duration.ofMinutes(4));
        assertThat(cluster.calls).hasSize(1);
        assertThat(resize(cluster)).isEqualTo("ControllerResizeInfeasible");
    }

    @Test
    void aClaimThatDoesNotShowItsSizeYetIsLeftToTheBinder() {
        Cluster cluster = cluster();
        showStatus(cluster, status(cluster).withCapacity(Map.of()));
        cluster.annotateVolume("pv", Annotations.PRE_RESIZE_CAPACITY, "1Gi");
        ExpandedDiskPlugin.request(cluster, "3Gi").advance(LONG);
        assertThat(cluster.calls).isEmpty();
    }

    /** As after the end of an expansion of which the status has not been told: its file system is as large as it shall be. */
    @Test
    void aClaimThatHasItsSizeAlreadyLeavesNoOldSizeOnItsVolume() {
        nodeStep = true;
        Cluster cluster = cluster();
        showStatus(
                cluster,
                status(cluster)
                        .withCapacity(Map.of("storage", Quantity.parse("3Gi")))
                        .withAllocatedResources(Map.of("storage", Quantity.parse("3Gi")))
                        .withAllocatedResourceStatuses(Map.of("storage", "ControllerResizeInProgress")));
        cluster.afterEachStep =
                () -> assertThat(cluster.volume("pv").metadata().annotation(Annotations.PRE_RESIZE_CAPACITY))
                        .isEmpty();
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(asked(cluster)).containsExactly("3Gi");
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("3Gi"));
    }

    @Test
    void aClaimThatShowsMoreThanTheExpansionWentForKeepsThat() {
        Cluster cluster = cluster();
        showStatus(
                cluster,
                status(cluster)
                        .withCapacity(Map.of("storage", Quantity.parse("3Gi")))
                        .withAllocatedResources(Map.of("storage", Quantity.parse("2Gi")))
                        .withAllocatedResourceStatuses(Map.of("storage", "ControllerResizeInProgress")));
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(asked(cluster)).containsExactly("2Gi");
        assertThat(resize(cluster)).isEmpty();
        assertThat(capacity(cluster)).isEqualTo("3Gi");
    }

    @ParameterizedTest(name = "the file system is awaited: {0}")
    @ValueSource(booleans = {false, true})
    void whatAnOlderResizerHasMadeLargerIsLeftToItsNode(boolean awaited) {
        Cluster cluster = cluster();
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withStorage(Quantity.parse("3Gi"))));
        if (awaited) {
            Condition pending = new Condition(
                    "FileSystemResizePending",
                    ConditionStatus.TRUE,
                    "",
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            showStatus(cluster, status(cluster).withConditions(List.of(pending)));
        }
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(asked(cluster)).isEqualTo(awaited ? List.of() : List.of("3Gi"));
    }

    @Test
    void whatTheStatusTellsOfOtherResourcesStays() {
        Cluster cluster = cluster();
        Map<String, String> other = Map.of("example.com/bandwidth", "NodeResizePending");
        showStatus(cluster, status(cluster).withAllocatedResourceStatuses(other));
        assertGrown(ExpandedDiskPlugin.request(cluster, "3Gi").settle(), "3Gi");
        assertThat(status(cluster).allocatedResourceStatuses()).isEqualTo(other);
    }

    private static void showStatus(Cluster cluster, PersistentVolumeClaimStatus status) {
        PersistentVolumeClaim before = cluster.claim("data");
        cluster.store
                .updateStatus(Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(before, before.withStatus(status)))
                .orThrow();
    }

    @Test
    void anotherClaimsVolumeIsLeftAlone() {
        Cluster cluster = cluster();
        cluster.editVolume(
                "pv",
                v -> v.withSpec(
                        v.spec().withClaimRef(v.spec().claimRef().map(ref -> ref.withUid(BinderObjects.OTHER_UID)))));
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(cluster.calls).as("X2").isEmpty();
    }

    /** Only the administrator knows that the storage has grown: the capacity of the volume is his word. */
    @ParameterizedTest(name = "though the plugin could: {0}")
    @ValueSource(booleans = {false, true})
    void storageThatOnlyItsAdministratorMakesLargerKeepsItsCapacityUntilHeSaysOtherwise(boolean foreign) {
        Cluster cluster = ExpandedDiskPlugin.cluster(1, new ExpandedDiskPlugin(foreign));
        if (foreign) {
            cluster.annotateVolume("pv", ExpandedDiskPlugin.FOREIGN, "yes").settle();
        }
        ExpandedDiskPlugin.request(cluster, "3Gi").advance(LONG);
        assertThat(cluster.writes).isEmpty();
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("1Gi"));
        assertThat(resize(cluster)).isEmpty();
        assertThat(ExpandedDiskPlugin.conditions(cluster)).isEmpty();
        assertThat(cluster.reasons()).containsExactly("ExternalExpanding");

        cluster.editVolume("pv", v -> v.withSpec(v.spec().withStorage(Quantity.parse("3Gi"))));
        cluster.settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(resize(cluster)).isEqualTo("NodeResizePending");
        assertThat(capacity(cluster)).isEqualTo("1Gi");
        assertThat(cluster.reasons()).containsExactly("ExternalExpanding", "Resizing", "FileSystemResizeRequired");
        nodeFinishes(cluster, "3Gi");
        assertGrown(cluster.settle(), "3Gi");
    }

    @Test
    void aNodeIsShownNoMoreThanTheVolumeHas() {
        Cluster cluster = ExpandedDiskPlugin.cluster(1, new ExpandedDiskPlugin(false));
        cluster.editVolume("pv", v -> v.withSpec(v.spec().withStorage(Quantity.parse("2Gi"))));
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(allocated(cluster)).isEqualTo("2Gi");
        nodeFinishes(cluster, "2Gi");
        cluster.advance(LONG);
        assertThat(capacity(cluster)).isEqualTo("2Gi");
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("2Gi"));
        assertThat(resize(cluster)).isEmpty();
    }

    /** Such as a claim that was bound by hand to a volume that is too small: the API server has not asked its class. */
    @ParameterizedTest(name = "the plugin asks a back-end: {0}, the class: {1}")
    @CsvSource({
        "true, gone",
        "true, forbids",
        "true, says nothing",
        "false, gone",
        "false, forbids",
        "migrated, forbids"
    })
    void nothingGrowsThatItsClassDoesNotAllowToGrow(String plugin, String storageClass) {
        Cluster cluster = ExpandedDiskPlugin.cluster(1, new ExpandedDiskPlugin(plugin.equals("true")));
        if (plugin.equals("migrated")) {
            cluster.annotateVolume("pv", Annotations.MIGRATED_TO, "far.example.com")
                    .settle();
        }
        Optional<Boolean> allows = storageClass.equals("forbids") ? Optional.of(false) : Optional.empty();
        StorageClass gold = cluster.store
                .get(Kinds.STORAGE_CLASS, ObjectKey.cluster(ExpandedDiskPlugin.CLASS))
                .orThrow();
        ExpandedDiskPlugin.request(cluster, "3Gi");
        if (storageClass.equals("gone")) {
            cluster.store
                    .delete(Kinds.STORAGE_CLASS, ObjectKey.of(gold), DeleteOptions.DEFAULT)
                    .orThrow();
        } else {
            cluster.store
                    .update(Kinds.STORAGE_CLASS, new Change<>(gold, gold.withAllowVolumeExpansion(allows)))
                    .orThrow();
        }
        cluster.advance(LONG);
        cluster.restart();
        cluster.advance(LONG);
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.writes).isEmpty();
        assertThat(cluster.told("VolumeResizeFailed"))
                .as("by each process once")
                .isEqualTo(2);
    }

    @Test
    void aClassThatComesToAllowExpansionIsEnough() {
        Cluster cluster = cluster();
        StorageClass gold = cluster.store
                .get(Kinds.STORAGE_CLASS, ObjectKey.cluster(ExpandedDiskPlugin.CLASS))
                .orThrow();
        ExpandedDiskPlugin.request(cluster, "3Gi");
        StorageClass closed = cluster.store
                .update(Kinds.STORAGE_CLASS, new Change<>(gold, gold.withAllowVolumeExpansion(Optional.empty())))
                .orThrow();
        cluster.advance(LONG);
        assertThat(cluster.calls).isEmpty();
        cluster.store
                .update(Kinds.STORAGE_CLASS, new Change<>(closed, closed.withAllowVolumeExpansion(Optional.of(true))))
                .orThrow();
        assertGrown(cluster.settle(), "3Gi");
    }

    /** What the answer says is true of the storage that was asked, and says nothing of another of its name. */
    @Test
    void aVolumeThatWasMadeAgainMeanwhileKeepsItsOwnCapacity() {
        Cluster cluster = cluster();
        cluster.backend = call -> {
            cluster.backend = again -> Outcome.deferred("not now");
            PersistentVolume old = cluster.volume("pv");
            cluster.store
                    .update(
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(old, old.withMetadata(old.metadata().withFinalizers(List.of()))))
                    .orThrow();
            cluster.store
                    .delete(Kinds.PERSISTENT_VOLUME, ObjectKey.of(old), DeleteOptions.DEFAULT)
                    .orThrow();
            cluster.store
                    .create(
                            Kinds.PERSISTENT_VOLUME,
                            PersistentVolume.of("pv", old.spec())
                                    .withMetadata(ObjectMeta.named("pv")
                                            .withAnnotations(old.metadata().annotations())))
                    .orThrow();
            return grow(call);
        };
        ExpandedDiskPlugin.request(cluster, "3Gi").advance(Duration.ofSeconds(1));
        assertThat(cluster.calls).isNotEmpty();
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse("1Gi"));
    }

    @Test
    void aDriverOutsideOfThisProcessIsToldOnce() {
        Cluster cluster = cluster();
        cluster.annotateVolume("pv", Annotations.MIGRATED_TO, "far.example.com");
        ExpandedDiskPlugin.request(cluster, "3Gi").settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.told("ExternalExpanding")).isEqualTo(1);
        assertThat(cluster.claim("data").metadata().annotation(Annotations.STORAGE_RESIZER))
                .as("X4")
                .contains("far.example.com");
        ExpandedDiskPlugin.request(cluster, "4Gi").advance(LONG);
        assertThat(cluster.told("ExternalExpanding")).isEqualTo(1);
        assertThat(cluster.writes).hasSize(1);
    }
}
