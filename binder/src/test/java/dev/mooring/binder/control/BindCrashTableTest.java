// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The process dies after each of the four writes of a bind, and just then a user acts: 4 × 8 runs (semantics/binder §7.2). Each
 * comes to the same end as if the process had lived (I4).
 */
class BindCrashTableTest {
    static Stream<Arguments> table() {
        return IntStream.rangeClosed(1, 4)
                .boxed()
                .flatMap(write -> Arrays.stream(Disturbance.values()).map(who -> Arguments.of(write, who)));
    }

    @ParameterizedTest(name = "dies after write {0}, {1}")
    @MethodSource("table")
    void comesToTheSameEnd(int write, Disturbance disturbance) {
        assertThat(end(write, disturbance, true)).isEqualTo(end(write, disturbance, false));
    }

    private static Map<String, List<String>> end(int write, Disturbance disturbance, boolean dies) {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, PluginRegistry.EMPTY, 1);
        Watchman.over(cluster, call -> Outcome.done());
        cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.volume("other", "2Gi"))
                .settle()
                .load(BinderObjects.data())
                .countingFromOne();
        boolean[] struck = new boolean[1];
        cluster.diesAfter = number -> {
            if (number != write || struck[0]) {
                return false;
            }
            struck[0] = true;
            disturbance.strikes(cluster);
            return dies;
        };
        cluster.advance(Duration.ofMinutes(5));
        assertThat(struck[0]).as("the write was made").isTrue();
        BinderInvariants.check(cluster);
        return shape(cluster);
    }

    /** Everything but versions, times and the uids that the store made up. */
    private static Map<String, List<String>> shape(Cluster cluster) {
        Map<String, String> nameByUid = new TreeMap<>();
        Map<String, List<String>> shape = new TreeMap<>();
        for (PersistentVolumeClaim claim : cluster.claims()) {
            nameByUid.put(claim.metadata().uid(), claim.metadata().name());
            shape.put(
                    "claim " + claim.metadata().name(),
                    List.of(
                            claim.status().phase().toString(),
                            claim.spec().volumeName(),
                            claim.metadata().annotations().keySet().stream()
                                    .sorted()
                                    .toList()
                                    .toString(),
                            claim.status().capacity().toString(),
                            String.valueOf(claim.metadata().isDeleting())));
        }
        cluster.volumes()
                .forEach(volume -> shape.put(
                        "volume " + volume.metadata().name(),
                        List.of(
                                volume.status().phase().toString(),
                                volume.spec()
                                        .claimRef()
                                        .map(ObjectReference::name)
                                        .orElse(""),
                                volume.spec()
                                        .claimRef()
                                        .map(ref -> nameByUid.getOrDefault(
                                                ref.uid(), ref.uid().isEmpty() ? "" : "gone"))
                                        .orElse(""),
                                volume.metadata().annotations().keySet().stream()
                                        .sorted()
                                        .toList()
                                        .toString(),
                                String.valueOf(volume.metadata().isDeleting()))));
        return shape;
    }
}
