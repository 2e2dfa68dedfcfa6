// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Storage is asked for only under a finalizer, so that neither a crash nor the claim's end leaves any behind (D15, §5.6). */
class ProvisioningIntentTest {
    private static final ToyPlugin TOY = new ToyPlugin(Place.CONTROLLER);
    private static final String VOLUME = "pvc-" + BinderObjects.UID;

    private final Set<String> storage = new HashSet<>();

    private Outcome<?> backend(Call call) {
        if (call.operation().equals("provision")) {
            storage.add(call.volume());
        } else {
            storage.remove(call.volume());
        }
        return TOY.answer(call);
    }

    private Cluster cluster(ReclaimPolicy policy) {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(TOY)), 1);
        cluster.backend = this::backend;
        StorageClass gold = BinderObjects.storageClass("gold", ToyPlugin.NAME, VolumeBindingMode.IMMEDIATE);
        return cluster.load(gold.withReclaimPolicy(Optional.of(policy)));
    }

    private static PersistentVolumeClaim wish() {
        return BinderObjects.ofClass(BinderObjects.data(), "gold");
    }

    @Test
    void theFinalizerIsThereBeforeTheCallAndGoesWithTheBind() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.backend = call -> {
            assertThat(cluster.claim("data").metadata().hasFinalizer(Finalizers.PROVISIONING))
                    .isTrue();
            return backend(call);
        };
        cluster.load(wish()).settle();
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(cluster.claim("data").metadata().hasFinalizer(Finalizers.PROVISIONING))
                .isFalse();
        assertThat(cluster.writes).hasSize(5); // ask, create, name, and the two statuses
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "RETAIN"})
    void storageMadeBeforeACrashIsDestroyedAlthoughTheClaimWasDeletedMeanwhile(ReclaimPolicy policy) {
        Cluster cluster = cluster(policy);
        cluster.diesAfterCall = call -> call == 1;
        cluster.load(wish());
        cluster.backend = call -> {
            if (cluster.calls.size() == 1) {
                cluster.deleteClaim("data"); // while the plugin works, just before the process dies
            }
            return backend(call);
        };
        cluster.settle();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(storage).isEmpty();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void aClaimThatIsDeletedBeforeAnythingWasAskedForGoesAtOnce() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.backend = call -> Outcome.deferred("not now");
        cluster.load(wish()).settle();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.operations()).containsOnly("provision");
    }

    @Test
    void afterACrashItIsFoundOutWhetherThereIsStorage() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.backend = call -> Outcome.deferred("not now");
        cluster.load(wish()).settle();
        cluster.restart();
        cluster.deleteClaim("data");
        cluster.backend = this::backend;
        cluster.settle();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(storage).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
    }

    /** The plugin says neither yes nor no: it is asked until it does, with pauses, and the claim stays meanwhile. */
    @Test
    void whetherThereIsStorageIsAskedWithPausesUntilThePluginTells() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        storage.add(VOLUME); // by a process that has gone
        cluster.backend = call -> Outcome.deferred("not now");
        cluster.load(open(wish()));
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertThat(cluster.findClaim("data")).isPresent();
        assertThat(cluster.operations()).containsOnly("provision").hasSizeBetween(3, 30);

        cluster.backend = this::backend;
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(storage).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
    }

    /** An earlier leader set the finalizer and called the plugin; this one has seen nothing of it yet. */
    @Test
    void anIntentThatTheStoreDoesNotTakeIsNoProofThatThereIsNoStorage() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.fault = number -> {
            if (number == 1) {
                storage.add(VOLUME);
                cluster.editClaim("data", ProvisioningIntentTest::open).deleteClaim("data");
            }
            return Interception.PROCEED;
        };
        cluster.load(wish()).advance(Duration.ofMinutes(10));
        assertThat(storage).isEmpty();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void aPlanThatIsRefusedLeavesAWarningAndLetsTheClaimGo() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new Keeping(TOY, false))), 1);
        cluster.load(BinderObjects.storageClass("gold", ToyPlugin.NAME, VolumeBindingMode.IMMEDIATE), open(wish()));
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("ProvisioningCleanupFailed");
            assertThat(news.message()).contains("no plan for that");
        });
    }

    @Test
    void aClassThatIsGoneLeavesAWarningAndLetsTheClaimGo() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        PersistentVolumeClaim open = BinderObjects.ofClass(BinderObjects.data(), "gone");
        cluster.load(open.withMetadata(open.metadata().withFinalizer(Finalizers.PROVISIONING)));
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.told("ProvisioningCleanupFailed")).isEqualTo(1);
    }

    private static PersistentVolumeClaim open(PersistentVolumeClaim claim) {
        return claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PROVISIONING));
    }

    @Test
    void aCompleteBindToAnotherVolumeLeavesNoStorageBehind() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        storage.add(VOLUME); // by a process that has gone
        PersistentVolume another = BinderObjects.inPhase(
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID),
                PersistentVolumePhase.BOUND);
        PersistentVolumeClaim bound = BinderObjects.ofClass(BinderObjects.boundTo("pv"), "gold");
        cluster.load(
                another,
                open(bound.withStatus(
                        bound.status().withAccessModes(another.spec().accessModes()))));
        cluster.advance(Duration.ofMinutes(5));
        assertThat(storage).isEmpty();
        assertThat(cluster.claim("data").metadata().hasFinalizer(Finalizers.PROVISIONING))
                .isFalse();
        BindingTest.assertBound(cluster, "pv", "data");
        assertThat(cluster.volumes()).hasSize(1);
    }

    @Test
    void aClaimThatIsDeletedWhileItWaitsForTheVolumeThatItNamesLeavesNoStorageBehind() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        storage.add(VOLUME);
        cluster.load(open(BinderObjects.naming(wish(), VOLUME))).advance(Duration.ofMinutes(5));
        assertThat(cluster.calls).as("the volume may yet come").isEmpty();

        cluster.deleteClaim("data").advance(Duration.ofMinutes(5));
        assertThat(storage).isEmpty();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
    }

    // ---- a refusal after a call whose end is unknown (found by seed 10004259 of the random worlds) ----

    /** Makes the storage, and does not get to say so; from then on it refuses to make any. */
    private Outcome<?> madeOnceThenRefusing(Cluster cluster, Call call) {
        boolean first = cluster.calls.size() == 1;
        return first || !call.operation().equals("provision")
                ? backend(call)
                : Outcome.refused(Refusal.EXHAUSTED, "full");
    }

    @Test
    void storageMadeBeforeACrashIsDestroyedAlthoughThePluginRefusesSince() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.diesAfterCall = call -> call == 1;
        cluster.backend = call -> madeOnceThenRefusing(cluster, call);
        cluster.load(wish()).settle();
        cluster.deleteClaim("data").settle();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(storage).isEmpty();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void storageWhoseMakingWasNotAnsweredIsDestroyedIfThePluginRefusesSince() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.backend = call -> {
            Outcome<?> answer = madeOnceThenRefusing(cluster, call);
            return cluster.calls.size() == 1 ? Outcome.uncertain("time-out") : answer;
        };
        cluster.load(wish()).advance(Duration.ofMinutes(10));
        assertThat(cluster.operations()).startsWith("provision", "provision", "delete");
        assertThat(storage).isEmpty();
    }

    @Test
    void aRefusalAfterACrashGivesTheClaimBackToTheSchedulerOnceNothingIsLeft() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(TOY)), 1);
        cluster.load(BinderObjects.storageClass("gold", ToyPlugin.NAME, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        cluster.load(Node.of("n1"), BinderObjects.pod("web", "", "data"));
        cluster.diesAfterCall = call -> call == 1;
        cluster.backend = call -> madeOnceThenRefusing(cluster, call);
        cluster.load(BinderObjects.annotated(wish(), Annotations.SELECTED_NODE, "n1"))
                .settle();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(storage).isEmpty();
        assertThat(cluster.operations()).startsWith("provision", "provision", "delete", "provision");
        assertThat(cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE))
                .isEmpty();
    }

    /** Makes volumes, and leaves it to people to destroy them. */
    private record Keeping(ToyPlugin toy, boolean plans) implements LikeToy, Provisioning {
        @Override
        public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
            return plans ? toy.plan(request) : Outcome.refused(Refusal.INVALID, "no plan for that");
        }

        @Override
        public Outcome<VolumeTemplate> provision(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
            return toy.provision(context, request, plan);
        }
    }

    @Test
    void aRefusalAfterACrashGivesTheClaimBackToTheSchedulerAlthoughNoPluginCanDelete() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new Keeping(TOY, true))), 1);
        cluster.load(BinderObjects.storageClass("gold", ToyPlugin.NAME, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        cluster.load(Node.of("n1"), BinderObjects.pod("web", "", "data"));
        cluster.diesAfterCall = call -> call == 1;
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "full");
        cluster.load(BinderObjects.annotated(wish(), Annotations.SELECTED_NODE, "n1"))
                .settle();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE))
                .isEmpty();
        assertThat(cluster.operations()).containsOnly("provision");
        assertThat(cluster.told("ProvisioningCleanupFailed")).isEqualTo(1);
    }

    @Test
    void aLostAnswerIsNoDoubtIfThePluginMakesTheStorageAfterAll() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.backend = call -> {
            Outcome<?> answer = backend(call);
            return cluster.calls.size() == 1 ? Outcome.uncertain("time-out") : answer;
        };
        cluster.load(wish()).settle();
        cluster.advance(Duration.ofMinutes(1));
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(cluster.operations()).containsOnly("provision");
    }

    // ---- clean-up when the store does not take the volume ----

    private static boolean isCreation(WriteRequest write) {
        return write.verb() == WriteVerb.CREATE && write.kind().equals(Kinds.PERSISTENT_VOLUME);
    }

    @Test
    void storageWhoseVolumeIsRefusedFiveTimesIsDestroyedAgain() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        int[] creates = {0};
        cluster.refused = write -> isCreation(write) && creates[0]++ < 5;
        cluster.load(wish()).settle();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.operations()).startsWith("provision", "delete");
        assertThat(cluster.news).anyMatch(news -> news.message().endsWith("Deleting the volume."));
        cluster.advance(Duration.ofMinutes(5));
        BindingTest.assertBound(cluster, VOLUME, "data"); // the quota has been raised meanwhile
        assertThat(storage).containsExactly(VOLUME);
    }

    /** #44372: the first creation is on its way, unseen; the others surely fail. */
    @Test
    void storageIsNotDestroyedWhileACreationOfItsVolumeMayArrive() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).advance(Duration.ofHours(1));
        int asked = 1;
        cluster.fault = write -> write <= asked || write > asked + 6
                ? Interception.PROCEED
                : Interception.refuse(write == asked + 1 ? Failure.UNKNOWN : Failure.UNAVAILABLE, "planted");
        cluster.load(wish()).settle();
        cluster.advance(Duration.ofSeconds(29));
        assertThat(cluster.operations()).containsExactly("provision");
        assertThat(cluster.news).anyMatch(news -> news.message().endsWith("unless an earlier try arrives."));
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.operations()).startsWith("provision", "delete", "provision");
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(storage).containsExactly(VOLUME);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"INVALID, true, true", "FORBIDDEN, true, true", "UNAVAILABLE, true, false", "THROTTLED, false, false"})
    void aVolumeThatTheStoreDoesNotTakeIsToldIfPeopleCanHelpAndGivenUpIfItSurelyIsNotThere(
            Failure failure, boolean givenUp, boolean told) {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.refusal = failure;
        cluster.refused = ProvisioningIntentTest::isCreation;
        cluster.load(wish()).advance(Duration.ofMinutes(3));
        assertThat(cluster.operations().contains("delete")).isEqualTo(givenUp);
        assertThat(cluster.news.stream()
                        .map(news -> news.message())
                        .anyMatch("Error creating provisioned PV object for claim default/data: planted"::equals))
                .isEqualTo(told);
    }

    /** Whatever the class says: what no claim ever had carries no data. */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "RETAIN"})
    void storageOfAClaimThatGotAnotherVolumeMeanwhileIsDestroyed(ReclaimPolicy policy) {
        Cluster cluster = cluster(policy);
        cluster.refused = ProvisioningIntentTest::isCreation;
        cluster.refusal = Failure.THROTTLED;
        cluster.load(wish()).settle();
        assertThat(storage).containsExactly(VOLUME);

        PersistentVolume another = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", "");
        cluster.load(another.withSpec(another.spec().withStorageClassName(Optional.of("gold"))));
        cluster.editClaim("data", claim -> BinderObjects.naming(claim, "pv"));
        cluster.refused = write -> false;
        cluster.advance(Duration.ofMinutes(10));
        assertThat(storage).isEmpty();
        BindingTest.assertBound(cluster, "pv", "data");
        assertThat(cluster.volumes()).hasSize(1);
        assertThat(cluster.told("ProvisioningSucceeded")).isZero();
    }

    @Test
    void storageOfAClaimThatGoesIsDestroyedAlthoughTheStoreTakesNoVolumeForIt() {
        Cluster cluster = cluster(ReclaimPolicy.RETAIN);
        int[] creates = {0};
        cluster.refused = write -> isCreation(write) && ++creates[0] > 0;
        cluster.load(wish()).settle();
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertThat(creates[0]).as("tries to have a volume for it").isEqualTo(5);
        assertThat(storage).isEmpty();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.operations()).containsExactly("provision", "delete");
    }

    @Test
    void storageThatCannotBeDestroyedIsToldOf() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.refused = ProvisioningIntentTest::isCreation;
        cluster.backend = call -> call.operation().equals("delete") ? Outcome.uncertain("no answer") : backend(call);
        cluster.load(wish()).settle();
        cluster.advance(Duration.ofMinutes(20));
        assertThat(cluster.told("ProvisioningCleanupFailed")).isPositive();
        assertThat(cluster.news).anyMatch(news -> news.message().endsWith("Please delete manually."));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void nothingIsLeftWhateverDiesAndWheneverTheClaimIsDeleted(long seed) {
        Random chance = new Random(seed);
        Cluster cluster = cluster(chance.nextBoolean() ? ReclaimPolicy.DELETE : ReclaimPolicy.RETAIN);
        int deleteAt = 1 + chance.nextInt(6);
        cluster.diesBefore = write -> chance.nextInt(4) == 0;
        cluster.diesAfter = write -> {
            if (write == deleteAt && cluster.findClaim("data").isPresent()) {
                cluster.deleteClaim("data");
            }
            return write < 40 && chance.nextInt(4) == 0;
        };
        cluster.backend = call -> chance.nextInt(3) == 0 ? uncertain(call, chance) : backend(call);
        cluster.load(wish()).settle();
        cluster.diesBefore = write -> false;
        cluster.diesAfter = write -> false;
        cluster.backend = this::backend;
        if (cluster.findClaim("data").isPresent()) {
            cluster.deleteClaim("data");
        }
        cluster.restart();
        cluster.settle();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.findClaim("data")).isEmpty();
        // A volume of policy Retain that was bound before the claim went stays, and its storage with it.
        assertThat(cluster.volumes()).hasSameSizeAs(storage);
        assertThat(cluster.volumes())
                .allMatch(volume -> volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RETAIN);
    }

    private Outcome<?> uncertain(Call call, Random chance) {
        if (chance.nextBoolean()) {
            backend(call);
        }
        return Outcome.uncertain("no answer");
    }
}
