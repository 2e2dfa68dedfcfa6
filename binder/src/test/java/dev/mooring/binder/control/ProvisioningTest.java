// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Storage made for a claim by a plugin of this process: no fault may make it twice, or leave any behind (semantics/binder §1.10 PI). */
class ProvisioningTest {
    private static final String VOLUME = "pvc-" + BinderObjects.UID;
    private static final ToyPlugin TOY = new ToyPlugin(Place.CONTROLLER);

    /** What exists on the storage system. */
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
        return cluster.load(StorageClass.of("gold", ToyPlugin.NAME).withReclaimPolicy(Optional.of(policy)));
    }

    private Cluster cluster() {
        return cluster(ReclaimPolicy.DELETE);
    }

    private static PersistentVolumeClaim wish() {
        return BinderObjects.ofClass(BinderObjects.data(), "gold");
    }

    private void assertProvisioned(Cluster cluster) {
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(cluster.volumes()).hasSize(1);
        assertThat(storage).containsExactly(VOLUME);
    }

    private void assertNothingLeft(Cluster cluster) {
        assertThat(cluster.volumes()).isEmpty();
        assertThat(storage).isEmpty();
    }

    // ---- crashes and faults ----

    static Stream<Death> deaths() {
        return Stream.concat(Death.atWrites(5), Death.atTheCall());
    }

    @ParameterizedTest(name = "dies {0}")
    @MethodSource("deaths")
    void endsTheSameWhereverTheProcessDies(Death death) {
        Cluster cluster = cluster().load(wish());
        death.in(cluster);
        cluster.advance(Duration.ofMinutes(5));
        assertProvisioned(cluster);
        assertThat(cluster.told("ProvisioningFailed")).isZero();
    }

    @ParameterizedTest(name = "write {0}: {1}")
    @CsvSource({
        "1,CONFLICT", "2,CONFLICT", "3,CONFLICT", "4,CONFLICT", "5,CONFLICT",
        "1,UNAVAILABLE", "2,UNAVAILABLE", "3,UNAVAILABLE", "4,UNAVAILABLE", "5,UNAVAILABLE",
        "1,UNKNOWN", "2,UNKNOWN", "3,UNKNOWN", "4,UNKNOWN", "5,UNKNOWN"
    })
    void endsTheSameAfterAFault(int write, Failure failure) {
        Cluster cluster = cluster().load(wish());
        boolean[] once = new boolean[1];
        cluster.fault = number -> {
            boolean now = number == write && !once[0];
            once[0] |= now;
            if (!now) {
                return Interception.PROCEED;
            }
            return failure == Failure.UNKNOWN
                    ? Interception.loseAnswer("planted")
                    : Interception.refuse(failure, "planted");
        };
        cluster.advance(Duration.ofMinutes(5));
        assertThat(once[0]).isTrue();
        assertProvisioned(cluster);
        assertThat(cluster.operations())
                .as("an answer that is known is not asked for again")
                .hasSize(1);
    }

    // ---- what the plugin answers ----

    @Test
    void anUncertainAnswerIsAskedForAgain() {
        Cluster cluster = cluster();
        cluster.backend = call -> {
            Outcome<?> real = backend(call);
            return cluster.calls.size() < 3 ? Outcome.uncertain("time-out") : real;
        };
        cluster.load(wish()).advance(Duration.ofMinutes(5));
        assertProvisioned(cluster);
        assertThat(cluster.operations()).containsExactly("provision", "provision", "provision");
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
    }

    @Test
    void aClaimThatGoesAfterAnUncertainAnswerLeavesNothingBehind() {
        Cluster cluster = cluster();
        cluster.backend = call -> {
            Outcome<?> real = backend(call);
            return call.operation().equals("provision") ? Outcome.uncertain("time-out") : real;
        };
        cluster.load(wish()).settle();
        assertThat(storage).hasSize(1);
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertNothingLeft(cluster);
    }

    @Test
    void aClaimThatGoesAfterARefusalNeedsNoDeletion() {
        Cluster cluster = cluster();
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "full");
        cluster.load(wish()).settle();
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertNothingLeft(cluster);
        assertThat(cluster.operations()).doesNotContain("delete");
        assertThat(cluster.hasTimer()).isFalse();
    }

    /** The user named another volume meanwhile, one that never came: the intent alone must not keep the claim (D15). */
    @ParameterizedTest(name = "the plugin answers {0}, then a restart: {1}")
    @CsvSource({"refused,false", "refused,true", "uncertain,false", "uncertain,true"})
    void aClaimThatNamesAnAbsentVolumeAndGoesLeavesNothingBehind(String answer, boolean restarts) {
        Cluster cluster = cluster();
        boolean[] once = new boolean[1];
        cluster.backend = call -> {
            if (once[0] || !call.operation().equals("provision")) {
                return backend(call);
            }
            once[0] = true;
            return answer.equals("refused")
                    ? Outcome.refused(Refusal.EXHAUSTED, "full")
                    : Outcome.uncertain("time-out");
        };
        cluster.load(wish()).settle();
        cluster.editClaim("data", claim -> claim.withSpec(claim.spec().withVolumeName("ghost")));
        if (restarts) {
            cluster.restart();
        }
        cluster.settle().deleteClaim("data").advance(Duration.ofMinutes(10));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertNothingLeft(cluster);
    }

    /** What holds for a claim that stays holds for one that goes: after five refusals the storage is destroyed without a volume. */
    @Test
    void storageOfAClaimThatGoesIsDestroyedAlsoIfItsVolumeIsRefused() {
        Cluster cluster = cluster();
        cluster.refused = request -> request.verb() == WriteVerb.CREATE && request.kind() == Kinds.PERSISTENT_VOLUME;
        cluster.load(wish()).settle();
        assertThat(storage).hasSize(1);
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertNothingLeft(cluster);
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aClaimThatGoesIsNotKeptByStorageThatCannotBeDestroyed() {
        Cluster cluster = cluster();
        cluster.refused = request -> request.verb() == WriteVerb.CREATE && request.kind() == Kinds.PERSISTENT_VOLUME;
        cluster.backend =
                call -> call.operation().equals("provision") ? backend(call) : Outcome.refused(Refusal.INVALID, "no");
        cluster.load(wish()).settle();
        cluster.deleteClaim("data").advance(Duration.ofMinutes(30));
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.told("ProvisioningCleanupFailed")).isEqualTo(1);
        assertThat(cluster.operations()).containsExactly("provision", "delete", "delete", "delete", "delete", "delete");
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void anotherClaimOfTheNameIsNotToldOfStorageThatCannotBeDestroyed() {
        Cluster cluster = cluster();
        cluster.refused = request -> request.verb() == WriteVerb.CREATE && request.kind() == Kinds.PERSISTENT_VOLUME;
        cluster.backend =
                call -> call.operation().equals("provision") ? backend(call) : Outcome.refused(Refusal.INVALID, "no");
        cluster.load(wish()).settle();
        cluster.deleteClaim("data")
                .editClaim("data", claim -> claim.withMetadata(claim.metadata().withFinalizers(List.of())))
                .load(BinderObjects.claim("data", "1Gi"));
        cluster.advance(Duration.ofMinutes(30));
        assertThat(cluster.operations()).containsOnlyOnce("provision").contains("delete");
        assertThat(cluster.told("ProvisioningCleanupFailed")).isZero();
    }

    @ParameterizedTest(name = "policy {0}")
    @CsvSource({"DELETE", "RETAIN"})
    void aClaimThatGoesDuringTheCallLeavesNothingBehind(ReclaimPolicy policy) {
        Cluster cluster = cluster(policy);
        cluster.backend = call -> {
            if (call.operation().equals("provision")) {
                cluster.deleteClaim("data");
            }
            return backend(call);
        };
        cluster.load(wish()).advance(Duration.ofMinutes(10));
        assertNothingLeft(cluster);
        assertThat(cluster.findClaim("data")).isEmpty();
    }

    @ParameterizedTest(name = "the answer is {0}")
    @ValueSource(strings = {"done", "uncertain"})
    void storageThatAnotherVolumeMadeNeedlessIsDestroyed(String answer) {
        Cluster cluster = cluster();
        cluster.backend = call -> {
            Outcome<?> real = backend(call);
            if (!call.operation().equals("provision")) {
                return real;
            }
            cluster.load(BinderObjects.volume("static", "1Gi")
                    .withSpec(BinderObjects.volume("static", "1Gi").spec().withStorageClassName(Optional.of("gold"))));
            return answer.equals("done") ? real : Outcome.uncertain("time-out");
        };
        cluster.load(wish()).advance(Duration.ofMinutes(10));
        assertThat(storage).hasSizeLessThanOrEqualTo(1);
        assertThat(cluster.volumes().stream().map(v -> v.metadata().name()).filter(name -> !name.equals("static")))
                .as("a volume object for everything that was made, and for nothing else")
                .containsExactlyElementsOf(storage);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    /** The volume object, once it is there, alone says what becomes of the storage. */
    @Test
    void whatAUserKeptIsNotDestroyedWhenTheClaimGoesLater() {
        Cluster cluster = cluster(ReclaimPolicy.RETAIN).load(wish()).settle();
        assertProvisioned(cluster);
        cluster.tearOutVolume(VOLUME).settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.LOST);
        cluster.deleteClaim("data").advance(Duration.ofMinutes(10));
        assertThat(storage).containsExactly(VOLUME);
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void aProvisionedVolumeGoesWithItsClaim() {
        Cluster cluster = cluster().load(wish()).settle();
        cluster.deleteClaim("data").settle();
        assertNothingLeft(cluster);
        assertThat(cluster.operations()).containsExactly("provision", "delete");
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aVolumeOfThatNameThatIsAnotherClaimsIsWaitedFor() {
        Cluster cluster =
                cluster().load(wish(), BinderObjects.claimedBy(BinderObjects.volume(VOLUME, "1Gi"), "other", ""));
        cluster.settle();
        assertThat(cluster.operations()).isEmpty();
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
        assertThat(cluster.hasTimer()).isFalse();
        cluster.tearOutVolume(VOLUME).settle();
        assertProvisioned(cluster);
    }

    @Test
    void aReadThatFailsProvesNothing() {
        Cluster cluster = cluster().load(wish());
        cluster.unreadable = 2;
        cluster.settle();
        assertThat(cluster.operations()).isEmpty();
        cluster.advance(Duration.ofMinutes(5));
        assertProvisioned(cluster);
    }

    @Test
    void withDynamicProvisioningOffNothingIsMadeAndNothingIsSaid() {
        Cluster cluster = new Cluster(
                BinderOptions.DEFAULT.without(BinderSwitch.DYNAMIC_PROVISIONING), new PluginRegistry(List.of(TOY)), 1);
        cluster.load(StorageClass.of("gold", ToyPlugin.NAME), wish()).settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.news).isEmpty();
        assertThat(cluster.writes).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "absent, storageclass.storage.k8s.io \"absent\" not found: there are no volumes",
        "none, no volume plugin matched name: kubernetes.io/no-provisioner: there are no volumes"
    })
    void p1NoPluginCanMakeIt(String className, String why) {
        Cluster cluster = cluster()
                .load(
                        StorageClass.of("none", "kubernetes.io/no-provisioner"),
                        BinderObjects.ofClass(BinderObjects.data(), className))
                .advance(Duration.ofHours(1));
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
        assertThat(cluster.news.get(0).message()).isEqualTo(why);
        assertThat(cluster.news.get(0).warning()).isTrue();
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void p1AClassThatAppearsHelps() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(TOY)), 1);
        cluster.backend = this::backend;
        cluster.load(wish()).settle();
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
        cluster.load(StorageClass.of("gold", ToyPlugin.NAME)).settle();
        assertProvisioned(cluster);
        assertThat(cluster.volume(VOLUME).metadata().annotation(Annotations.PROVISIONED_BY))
                .contains(ToyPlugin.NAME);
        assertThat(cluster.volume(VOLUME).status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
    }
}
