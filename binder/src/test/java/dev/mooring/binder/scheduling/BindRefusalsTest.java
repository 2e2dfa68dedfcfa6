// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.annotated;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.Claiming;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which refused writes end a bind: those that it would make again (semantics/binder §3.6, PreBind). */
class BindRefusalsTest {
    private static final PersistentVolumeClaim C = uid(claim("c", "1Gi"), "uid-c");
    private static final PersistentVolumeClaim GOLD = uid(ofClass(claim("g", "1Gi"), "gold"), "uid-g");
    private static final PersistentVolume V = on(volume("v", "1Gi"), "n1");
    private static final PersistentVolume W = on(volume("w", "1Gi"), "n2");
    private static final Pod POD = pod("p", "c", "g");

    private static BindStep after(Effect write, Failure failure) {
        Known known = Known.of(node("n1"), node("n2"), local(), delayed("gold", "far.example.com"), POD, C, GOLD, V, W);
        PodFilters filters = new PodFilters(POD, known.view());
        BindProgress beginning = BindProgress.beginning(filters.assumption(node("n1"), filters.plan(node("n1"))), 0);
        EffectResult result = new EffectResult.Stored(write, StoreResult.failed(failure, "so it is"));
        Situation situation = new Situation(known.caches(), new Time(Instant.EPOCH, 1), Map.of(), List.of(result));
        return BindSteps.next(beginning, situation, known.view());
    }

    private static Effect claiming(PersistentVolume volume, PersistentVolumeClaim claim) {
        return new Effect.Update<>(
                "claim-volume", Kinds.PERSISTENT_VOLUME, new Change<>(volume, Claiming.claimed(volume, claim)));
    }

    private static Effect selecting(PersistentVolumeClaim claim, String node) {
        return new Effect.Update<>(
                "select-node",
                Kinds.PERSISTENT_VOLUME_CLAIM,
                new Change<>(claim, annotated(claim, Annotations.SELECTED_NODE, node)));
    }

    static Stream<Arguments> refused() {
        Effect drop = new Effect.Update<>(
                "drop-node",
                Kinds.PERSISTENT_VOLUME_CLAIM,
                new Change<>(annotated(GOLD, Annotations.SELECTED_NODE, "n1"), GOLD));
        return Stream.of(
                Arguments.of("the volume names the claim", claiming(V, C), true),
                Arguments.of("the claim names the node", selecting(GOLD, "n1"), true),
                Arguments.of("a volume on the node before names the claim", claiming(W, C), false),
                Arguments.of("the volume names a claim of that name before", claiming(V, uid(C, "old")), false),
                Arguments.of("the claim names the node before", selecting(GOLD, "n2"), false),
                Arguments.of("a claim of that name before names the node", selecting(uid(GOLD, "old"), "n1"), false),
                Arguments.of("the claim forgets its node", drop, false));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("refused")
    void aWriteThatWillBeRefusedAgainEndsTheBind(String what, Effect write, boolean ends) {
        for (Failure failure : List.of(Failure.INVALID, Failure.FORBIDDEN)) {
            BindStep step = after(write, failure);
            assertThat(step.kind()).as(what).isEqualTo(ends ? BindStep.Kind.FAILED : BindStep.Kind.GOES_ON);
            assertThat(step.message()).isEqualTo(ends ? "so it is" : "");
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"INVALID", "FORBIDDEN"})
    void aWriteThatMayDoLaterDoesNot(Failure failure) {
        assertThat(after(claiming(V, C), failure).kind()).isEqualTo(BindStep.Kind.GOES_ON);
        assertThat(after(selecting(GOLD, "n1"), failure).kind()).isEqualTo(BindStep.Kind.GOES_ON);
    }
}
