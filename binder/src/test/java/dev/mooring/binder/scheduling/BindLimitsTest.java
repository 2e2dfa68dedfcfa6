// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.annotated;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.claimedBy;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When a bind under way is given up, and which claims lose their node then (semantics/binder §3.6, D10). */
class BindLimitsTest {
    private static final Duration BEGINNING = Duration.ofHours(1);
    private static final PersistentVolumeClaim C = uid(ofClass(claim("c", "1Gi"), "gold"), "uid-c");
    private static final PersistentVolumeClaim HERE = annotated(C, Annotations.SELECTED_NODE, "n1");

    private final Known known = new Known(
            SchedulingOptions.DEFAULT, node("n1"), node("n2"), delayed("gold", "far.example.com"), pod("p", "c"), HERE);
    private final BindProgress progress = beginning(known);

    private static BindProgress beginning(Known known) {
        PodFilters filters = new PodFilters(pod("p", "c"), known.view());
        return BindProgress.beginning(filters.assumption(node("n1"), filters.plan(node("n1"))), BEGINNING.toNanos());
    }

    private BindStep after(Duration elapsed, SchedulingOptions options) {
        Time now = new Time(Instant.EPOCH, BEGINNING.plus(elapsed).toNanos());
        SchedulingView view = new SchedulingView(known.caches(), known.indexes, options);
        return BindSteps.next(progress, new Situation(known.caches(), now, Map.of(), List.of()), view);
    }

    private List<String> writes(BindStep step) {
        return step.effects().stream().map(Effect::operation).toList();
    }

    @Test
    void theTimeLimitCountsFromTheBeginning() {
        Duration limit = SchedulingOptions.DEFAULT.bindTimeout();
        assertThat(after(limit.minusNanos(1), SchedulingOptions.DEFAULT).kind()).isEqualTo(BindStep.Kind.GOES_ON);
        BindStep late = after(limit, SchedulingOptions.DEFAULT);
        assertThat(late.message()).isEqualTo("timed out waiting for the claims to be bound");
        assertThat(writes(late)).containsExactly("drop-node");
    }

    @ParameterizedTest
    @CsvSource({"PT9M, drop-node", "PT10M, drop-node", "PT11M, ", "PT0S, drop-node"})
    void aClaimKeepsItsNodeUntilTheNodesTimeIsOver(Duration timeToLive, String written) {
        BindStep late =
                after(Duration.ofMinutes(10), SchedulingOptions.DEFAULT.withSelectedNodeTtl(Optional.of(timeToLive)));
        assertThat(late.kind()).isEqualTo(BindStep.Kind.FAILED);
        assertThat(writes(late)).isEqualTo(written == null ? List.of() : List.of(written));
    }

    static Stream<Arguments> inTheEnd() {
        PersistentVolumeClaim named = HERE.withSpec(HERE.spec().withVolumeName("v"));
        return Stream.of(
                Arguments.of("nothing was made", HERE, true),
                Arguments.of("a volume was made for it", claimedBy(volume("v", "1Gi"), C), false),
                Arguments.of(
                        "a volume is there for a claim that had its name before",
                        claimedBy(volume("v", "1Gi"), uid(C, "former")),
                        true),
                Arguments.of("it names a volume", named, false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("inTheEnd")
    void aClaimForWhichAVolumeWasMadeKeepsItsNode(String what, KubernetesObject object, boolean drops) {
        known.put(object);
        assertThat(writes(after(Duration.ofMinutes(10), SchedulingOptions.DEFAULT)))
                .as(what)
                .isEqualTo(drops ? List.of("drop-node") : List.of());
    }
}
