// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Before and behind the call that reclaims: what has to be there for it, and when its mark goes (D6). */
class ReclaimEndsTest {
    private static final Duration A_WHILE = Duration.ofMinutes(30);
    private static final ToyPlugin TOY = new ToyPlugin(Place.CONTROLLER);

    private static Cluster cluster(StoragePlugin plugin, PersistentVolume volume) {
        return new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(plugin)), 1).load(volume);
    }

    private static PersistentVolume released(ReclaimPolicy policy) {
        return BinderObjects.inPhase(
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi", policy), "data", BinderObjects.UID),
                PersistentVolumePhase.RELEASED);
    }

    private static boolean isMarked(Cluster cluster) {
        return cluster.volume("pv")
                .metadata()
                .annotation(Annotations.RECLAIMING)
                .isPresent();
    }

    private static Outcome<?> outcome(String name) {
        return switch (name) {
            case "done" -> Outcome.done();
            case "refused" -> Outcome.refused(Refusal.DENIED, "busy");
            case "uncertain" -> Outcome.uncertain("time-out");
            case "deferred" -> Outcome.deferred("not now");
            default -> new Outcome.InUseElsewhere<Nothing>(List.of(), "on another node");
        };
    }

    /** What was done to the storage of a former volume of that name says nothing of the new one's. */
    @ParameterizedTest
    @EnumSource(
            value = ReclaimPolicy.class,
            names = {"DELETE", "RECYCLE"})
    void aVolumeThatIsMadeAgainUnderItsNameDuringTheCallIsReclaimedByACallOfItsOwn(ReclaimPolicy policy) {
        PersistentVolume former = released(policy);
        PersistentVolume again = former.withMetadata(former.metadata().withUid("00000000-0000-4000-8000-0000000000ff"));
        Cluster cluster = cluster(TOY, former);
        List<String> reclaimed = new ArrayList<>();
        cluster.backend = call -> {
            String uid = call instanceof DeleteCall delete
                    ? delete.spec().uid()
                    : ((RecycleCall) call).spec().uid();
            reclaimed.add(uid);
            if (reclaimed.size() == 1) {
                cluster.tearOutVolume("pv").load(again);
            }
            return Outcome.done();
        };
        cluster.advance(A_WHILE);
        assertThat(reclaimed).hasSize(2).endsWith(again.metadata().uid());
    }

    @Test
    void withoutTheMarkNothingIsCalled() {
        Cluster cluster = cluster(TOY, released(ReclaimPolicy.DELETE));
        cluster.refused = write -> write.kind().equals(Kinds.PERSISTENT_VOLUME);
        cluster.advance(A_WHILE);
        assertThat(cluster.calls).isEmpty();
    }

    @ParameterizedTest(name = "claimed: {0}")
    @ValueSource(booleans = {true, false})
    void aMarkThatIsFoundIsNoProof(boolean claimed) {
        PersistentVolume marked =
                BinderObjects.annotated(released(ReclaimPolicy.DELETE), Annotations.RECLAIMING, BinderObjects.UID);
        Cluster cluster =
                cluster(TOY, claimed ? marked : marked.withSpec(marked.spec().withClaimRef(Optional.empty())));
        cluster.forbidden =
                effect -> effect instanceof Effect.Read<?> read && read.kind() == Kinds.PERSISTENT_VOLUME_CLAIM;
        cluster.advance(A_WHILE);
        assertThat(cluster.calls).isEmpty();

        cluster.forbidden = read -> false;
        cluster.advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @ParameterizedTest(name = "{0} ends {1}")
    @CsvSource({
        "DELETE, done, false",
        "DELETE, refused, false",
        "DELETE, uncertain, true",
        "DELETE, deferred, false",
        "DELETE, elsewhere, false",
        "RECYCLE, done, false",
        "RECYCLE, uncertain, true"
    })
    void aPolicyThatBecomesRetainDuringTheCallLeavesAMarkOnlyIfItIsUnknownWhatWasDone(
            ReclaimPolicy policy, String answer, boolean marked) {
        Cluster cluster = cluster(TOY, released(policy));
        cluster.backend = call -> {
            cluster.editVolume("pv", v -> v.withSpec(v.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)));
            return outcome(answer);
        };
        cluster.advance(A_WHILE);
        assertThat(cluster.calls).hasSize(1);
        assertThat(isMarked(cluster)).isEqualTo(marked);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "DELETE, deferred, VolumeDelete",
        "DELETE, elsewhere, VolumeDelete",
        "RECYCLE, deferred, VolumeFailedRecycle",
        "RECYCLE, elsewhere, VolumeFailedRecycle"
    })
    void whatIsNotDoneNowIsToldOnceAndTriedAgain(ReclaimPolicy policy, String answer, String reason) {
        Cluster cluster = cluster(TOY, released(policy));
        cluster.backend = call -> outcome(answer);
        cluster.advance(A_WHILE);
        assertThat(cluster.calls).hasSizeGreaterThan(2);
        assertThat(cluster.reasons()).containsExactly(reason);
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);

        cluster.backend = call -> Outcome.done();
        cluster.advance(A_WHILE);
        assertThat(cluster.findVolume("pv").map(volume -> volume.status().phase()))
                .isEqualTo(
                        policy == ReclaimPolicy.DELETE
                                ? Optional.empty()
                                : Optional.of(PersistentVolumePhase.AVAILABLE));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"DELETE, VolumeFailedDelete, busy", "RECYCLE, VolumeFailedRecycle, Recycle failed: busy"})
    void aRefusalIsShown(ReclaimPolicy policy, String reason, String message) {
        Cluster cluster = cluster(TOY, released(policy));
        cluster.backend = call -> Outcome.refused(Refusal.DENIED, "busy");
        cluster.settle();
        assertThat(cluster.reasons()).containsExactly(reason);
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        assertThat(cluster.volume("pv").status().message()).endsWith(message);
        assertThat(cluster.volume("pv").status().message().startsWith("Recycle failed"))
                .isEqualTo(policy == ReclaimPolicy.RECYCLE);
    }

    /** Serves the source, and can do nothing with it. */
    private record Idle(ToyPlugin toy) implements LikeToy {}

    @ParameterizedTest(name = "{0}")
    @CsvSource({"DELETE, no volume plugin matched", "RECYCLE, No recycler plugin found for the volume!"})
    void aPluginThatCannotReclaimIsNotAsked(ReclaimPolicy policy, String message) {
        Cluster cluster = cluster(new Idle(TOY), released(policy)).settle();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.volume("pv").status().message()).endsWith(message);
    }

    /** As upstream: who uses it is asked before who could empty it, and the volume stays Released meanwhile. */
    @Test
    void aVolumeThatPodsUseIsSaidToBeUsedAlsoIfNoPluginCouldRecycleIt() {
        Cluster cluster = cluster(new Idle(TOY), released(ReclaimPolicy.RECYCLE))
                .load(BinderObjects.pod("web", "n1", "data"))
                .settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.warning()).isFalse();
            assertThat(news.reason()).isEqualTo("VolumeFailedRecycle");
            assertThat(news.message()).startsWith("Volume is used by pods: ");
        });
        cluster.endPod("web").settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        assertThat(cluster.volume("pv").status().message()).isEqualTo("No recycler plugin found for the volume!");
    }

    @Test
    void theWorkIsNamedForWhatItDoes() {
        PluginRegistry plugins = new PluginRegistry(List.of(TOY));
        PersistentVolume volume = released(ReclaimPolicy.DELETE);
        assertThat(ReclaimExecutor.recycler(plugins, volume).operation()).isEqualTo(BinderOperations.RECYCLE);
        assertThat(ReclaimExecutor.deleter(plugins, volume).operation()).isEqualTo(BinderOperations.DELETE);
    }
}
