// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.List;

/** A volume that a plugin makes larger, and what is seen of that. */
abstract class ExpansionWorld {
    static final Duration LONG = Duration.ofHours(1);

    boolean nodeStep;
    Quantity size = Quantity.parse("1Gi");

    Cluster cluster() {
        return cluster(1);
    }

    Cluster cluster(long seed) {
        Cluster cluster = ExpandedDiskPlugin.cluster(seed);
        cluster.backend = this::grow;
        return cluster;
    }

    Outcome<?> grow(Call call) {
        Quantity wanted = ((ExpandCall) call).wanted();
        size = size.compareTo(wanted) < 0 ? wanted : size;
        return Outcome.done(new Expansion(size, nodeStep));
    }

    static PersistentVolumeClaimStatus status(Cluster cluster) {
        return cluster.claim("data").status();
    }

    static String resize(Cluster cluster) {
        return status(cluster).allocatedResourceStatuses().getOrDefault("storage", "");
    }

    static String capacity(Cluster cluster) {
        return String.valueOf(status(cluster).capacity().get("storage"));
    }

    static String allocated(Cluster cluster) {
        return String.valueOf(status(cluster).allocatedResources().get("storage"));
    }

    static List<String> asked(Cluster cluster) {
        return cluster.calls.stream()
                .map(call -> ((ExpandCall) call).wanted().toString())
                .toList();
    }

    static void assertGrown(Cluster cluster, String wanted) {
        assertThat(capacity(cluster)).isEqualTo(wanted);
        assertThat(cluster.volume("pv").spec().storage()).isEqualTo(Quantity.parse(wanted));
        assertThat(resize(cluster)).isEmpty();
        assertThat(allocated(cluster)).isEqualTo(wanted);
        assertThat(ExpandedDiskPlugin.conditions(cluster)).isEmpty();
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.PRE_RESIZE_CAPACITY))
                .isEmpty();
        assertThat(cluster.hasTimer()).isFalse();
    }
}
