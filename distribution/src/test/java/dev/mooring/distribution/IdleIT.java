// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A control plane with nothing to do costs nothing: no thread of ours runs, whatever the number of bound pairs. */
@Tag("long")
class IdleIT {
    private static final int PAIRS = 1000;
    private static final int WINDOW_SECONDS = 30;
    private static final List<AccessMode> MODES = List.of(AccessMode.READ_WRITE_ONCE);

    @Test
    void noThreadRunsWhileNothingHappens() throws IOException, InterruptedException {
        assumeThat(ThreadActivity.TASKS)
                .as("threads are looked at through /proc")
                .exists();
        LoopCounters counters = new LoopCounters();
        RuntimeOptions options = RuntimeOptions.defaults().withName("idle-it").withListener(counters);
        Binder binder = new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY);
        try (MemoryClusterStore store = new MemoryClusterStore(
                        StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
                ControllerRuntime runtime = new ControllerRuntime(store, binder.controllers(), options).start()) {
            for (int i = 0; i < PAIRS; i++) {
                store.create(Kinds.PERSISTENT_VOLUME, volume("pv-" + i)).orThrow();
                store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("data-" + i)).orThrow();
            }
            runtime.whenQuiescent().join();
            assertThat(store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL)
                            .orThrow()
                            .items())
                    .hasSize(PAIRS)
                    .allMatch(claim -> claim.status().phase() == ClaimPhase.BOUND);
            long writes = counters.writes();
            long decisions = counters.decisions();
            Map<String, String> before = ThreadActivity.settled(List.of("idle-it-"));
            assertThat(before).as("the decider").hasSize(1);
            new CountDownLatch(1).await(WINDOW_SECONDS, TimeUnit.SECONDS); // the passing of time is what is tested
            assertThat(ThreadActivity.of(List.of("idle-it-"))).isEqualTo(before);
            assertThat(counters.writes()).isEqualTo(writes).isLessThanOrEqualTo(5L * PAIRS);
            assertThat(counters.decisions()).isEqualTo(decisions);
            assertThat(counters.timers()).isZero();
        }
    }

    private static PersistentVolume volume(String name) {
        return PersistentVolume.of(
                name,
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse("1Gi"))
                        .withAccessModes(MODES)
                        .withSource(Optional.of(new NfsSource("nfs.example.com", "/" + name, false).toSource())));
    }

    private static PersistentVolumeClaim claim(String name) {
        return PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse("1Gi"))
                        .withAccessModes(MODES));
    }
}
