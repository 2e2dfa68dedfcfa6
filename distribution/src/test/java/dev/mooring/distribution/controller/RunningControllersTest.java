// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.StuckPlugin;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.kubernetes.LeaderElection;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.kubernetes.Term;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.term.FencedStore;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Namespace;
import dev.mooring.storage.model.NamespaceSpec;
import dev.mooring.storage.model.NamespaceStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.host.HostServices;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class RunningControllersTest {
    @Test
    void s14_aPluginIsToldInWhichTermItIsCalled() throws InterruptedException {
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
        ObjectMeta name = ObjectMeta.EMPTY.withName("kube-system");
        store.create(Kinds.NAMESPACE, new Namespace(name, NamespaceSpec.EMPTY, NamespaceStatus.EMPTY))
                .orThrow();
        store.create(Kinds.STORAGE_CLASS, StorageClass.of("standard", StuckPlugin.NAME))
                .orThrow();
        BlockingQueue<OptionalLong> terms = new LinkedBlockingQueue<>();
        StuckPlugin plugin = new StuckPlugin(context -> terms.add(context.term()), context -> {});
        LeaderOptions options = LeaderOptions.of(ObjectKey.of("kube-system", "leader"), "me");
        Term term =
                new LeaderElection(store, options, TimeSource.system()).tick().orElseThrow();
        RunningControllers controllers = RunningControllers.start(
                ControllerParts.of(new FencedStore(store, term), List.of(plugin), HostServices.none()), term);
        PersistentVolumeClaimSpec wish = PersistentVolumeClaimSpec.EMPTY
                .withStorageClassName(Optional.of("standard"))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                .withRequestedStorage(Quantity.parse("1Gi"));
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.of("kube-system", "data", wish))
                .orThrow();
        assertThat(terms.take()).hasValue(term.number());
        controllers.close(Duration.ofSeconds(10));
    }
}
