// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeBindingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the switches of semantics/binder §7 change. */
class OptionsTest {
    private static Cluster cluster(BinderOptions options) {
        return new Cluster(options, PluginRegistry.EMPTY, 1);
    }

    @Test
    void statusesAreWrittenInUpstreamsOrderIfAskedFor() { // D5
        Cluster cluster = cluster(BinderOptions.DEFAULT.with(BinderSwitch.ORDERED_STATUS_WRITES));
        cluster.load(
                        BinderObjects.inPhase(BinderObjects.volume("pv", "1Gi"), PersistentVolumePhase.AVAILABLE),
                        BinderObjects.data())
                .settle();
        assertThat(cluster.writes)
                .extracting(write -> write.kind() + write.subresource())
                .containsExactly(
                        "PersistentVolume",
                        "PersistentVolumestatus",
                        "PersistentVolumeClaim",
                        "PersistentVolumeClaimstatus");
        BindingTest.assertBound(cluster, "pv", "data");
    }

    @Test
    void whatAUserTiedTogetherWronglyIsRefusedInStrictMode() { // D8, V4
        PersistentVolume small = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Mi"), "data", "");
        PersistentVolumeClaim claim = BinderObjects.naming(BinderObjects.data(), "pv");
        Cluster strict = cluster(BinderOptions.DEFAULT.with(BinderSwitch.STRICT_PREBIND));
        strict.load(small, claim).settle();
        assertThat(strict.claim("data").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(strict.told("VolumeMismatch")).isEqualTo(1);
        Cluster lenient = cluster(BinderOptions.DEFAULT);
        lenient.load(small, claim).settle();
        BindingTest.assertBound(lenient, "pv", "data");
        assertThat(lenient.told("VolumeMismatch")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void noMoreBindsAreUnderWayThanAllowedAndNoClaimIsForgotten(int max) { // D4
        int pairs = 40;
        Cluster cluster =
                cluster(BinderOptions.DEFAULT.withMaxBindsInFlight(max)).shuffled(max);
        IntStream.range(0, pairs)
                .forEach(i -> cluster.load(
                        BinderObjects.inPhase(BinderObjects.volume("pv" + i, "1Gi"), PersistentVolumePhase.AVAILABLE),
                        BinderObjects.claim("claim" + i, "1Gi")));
        cluster.settle();
        Map<String, String> volumeOf = new HashMap<>();
        for (int i = 0; i < pairs; i++) {
            PersistentVolumeClaim claim = cluster.claim("claim" + i);
            assertThat(claim.status().phase()).isEqualTo(ClaimPhase.BOUND);
            volumeOf.put(claim.metadata().name(), claim.spec().volumeName());
        }
        assertThat(mostUnderWay(cluster, volumeOf)).isLessThanOrEqualTo(max).isGreaterThanOrEqualTo(Math.min(max, 2));
    }

    /** A bind is under way from the first of its four writes to the last. */
    private static int mostUnderWay(Cluster cluster, Map<String, String> volumeOf) {
        Map<String, Integer> written = new HashMap<>();
        int most = 0;
        for (WriteRecord write : cluster.writes) {
            String volume = volumeOf.getOrDefault(write.name(), write.name());
            written.merge(volume, 1, Integer::sum);
            most = Math.max(most, (int)
                    written.values().stream().filter(count -> count < 4).count());
        }
        assertThat(written.values()).allMatch(count -> count == 4);
        return most;
    }

    @Test
    void aBindNeedsRoomForAtLeastOne() {
        assertThatThrownBy(() -> BinderOptions.DEFAULT.withMaxBindsInFlight(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxBindsInFlight must be at least 1, but is 0");
    }

    @Test
    void theNodeOfAPodWithoutASchedulerIsSelectedIfAskedFor() { // #95767
        PersistentVolumeClaim claim = BinderObjects.ofClass(BinderObjects.data(), "wait");
        for (boolean asked : new boolean[] {true, false}) {
            Cluster cluster = cluster(
                    asked
                            ? BinderOptions.DEFAULT.with(BinderSwitch.SELECT_NODE_OF_ASSIGNED_PODS)
                            : BinderOptions.DEFAULT);
            cluster.load(
                            BinderObjects.storageClass(
                                    "wait", "ebs.csi.aws.com", VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                            claim,
                            BinderObjects.pod("web", "n1", "data"))
                    .settle();
            assertThat(cluster.claim("data")
                            .metadata()
                            .annotation(Annotations.SELECTED_NODE)
                            .isPresent())
                    .isEqualTo(asked);
        }
    }

    @Test
    void onlyRecyclingAndProvisioningAreOnByDefault() {
        assertThat(BinderOptions.DEFAULT.on()).containsExactly(BinderSwitch.RECYCLE, BinderSwitch.DYNAMIC_PROVISIONING);
    }
}
