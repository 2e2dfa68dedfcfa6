// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Errors of operations")
class OperationErrorsTest {
    private static final PersistentVolumeClaim CLAIM =
            PersistentVolumeClaim.of("default", "x", PersistentVolumeClaimSpec.EMPTY);
    private final BinderMetrics metrics = new BinderMetrics(PluginRegistry.EMPTY, () -> new Time(Instant.EPOCH, 0));

    private record PlainCall(String operation) implements Call {
        @Override
        public PluginName plugin() {
            return new PluginName("toys.example.com/toy");
        }

        @Override
        public String volume() {
            return "v";
        }

        @Override
        public String node() {
            return "";
        }
    }

    private static Dispatch dispatch(String controller, Effect effect) {
        return new Dispatch(1, controller, new Key("claim", ObjectKey.of("default", "x")), effect, 1, "", List.of(), 1);
    }

    private static Effect call(String operation) {
        return new Effect.Perform(operation, new PlainCall(operation), Optional.empty(), Duration.ofMinutes(1));
    }

    private static Effect write(String operation) {
        return new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(CLAIM, CLAIM));
    }

    private void fail(Effect write) {
        metrics.onResult(
                dispatch("binder", write),
                new EffectResult.Stored(write, StoreResult.failed(Failure.INVALID, "planted")));
    }

    private List<String> counted(String metric) {
        return metrics.collect().stream()
                .filter(each -> each.name().equals(metric))
                .flatMap(each -> each.samples().stream())
                .map(sample -> String.join(" ", sample.labels().values()) + " " + (long) sample.value())
                .toList();
    }

    static Stream<Arguments> outcomes() {
        return Stream.of(
                Arguments.of(Outcome.done(), 0),
                Arguments.of(Outcome.refused(Refusal.INVALID, "no"), 1),
                Arguments.of(Outcome.uncertain("lost"), 1),
                Arguments.of(Outcome.deferred("not begun"), 0));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    @DisplayName("are calls that were begun and not done, under both names")
    void calls(Outcome<?> outcome, int errors) {
        for (String operation : List.of("provision", "delete", "recycle")) {
            Effect effect = call(operation);
            metrics.onEffect(dispatch("binder", effect));
            metrics.onResult(dispatch("binder", effect), new EffectResult.Performed(effect, outcome));
        }
        List<String> expected = errors == 0
                ? List.of()
                : List.of(
                        "toys.example.com/toy delete 1",
                        "toys.example.com/toy provision 1",
                        "toys.example.com/toy recycle 1");
        assertThat(counted("volume_operation_total_errors")).isEqualTo(expected);
        assertThat(counted("volume_operation_errors_total")).isEqualTo(expected);
    }

    @Test
    @DisplayName("are failed writes while something is provisioned for the claim, and no others")
    void writes() {
        fail(write("name-volume"));
        assertThat(counted("volume_operation_errors_total")).isEmpty();
        metrics.onEffect(dispatch("binder", call("provision")));
        fail(write("name-volume"));
        assertThat(counted("volume_operation_errors_total")).containsExactly("toys.example.com/toy provision 1");
        metrics.onResult(
                dispatch("pvc-protection", write("x")),
                new EffectResult.Stored(write("x"), StoreResult.failed(Failure.INVALID, "planted")));
        assertThat(counted("volume_operation_errors_total")).containsExactly("toys.example.com/toy provision 1");
    }

    @Test
    @DisplayName("of setting the default class have a counter of their own")
    void defaultClass() {
        fail(write("set-default-class"));
        assertThat(counted("retroactive_storageclass_errors_total")).containsExactly(" 1");
        assertThat(counted("retroactive_storageclass_total")).containsExactly(" 0");
        assertThat(counted("volume_operation_errors_total")).isEmpty();
    }
}
