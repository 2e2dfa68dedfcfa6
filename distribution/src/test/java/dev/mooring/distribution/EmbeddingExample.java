// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The example of the README; the lines between the marks stand there. */
final class EmbeddingExample {
    private EmbeddingExample() {}

    static void run(PrintStream out) {
        // example begins
        var modes = List.of(AccessMode.READ_WRITE_ONCE);
        var source = new NfsSource("nfs.example.com", "/exports/disk", false).toSource();
        var disk =
                PersistentVolumeSpec.EMPTY.withStorage(Quantity.parse("10Gi")).withAccessModes(modes);
        var volume = PersistentVolume.of("disk", disk.withSource(Optional.of(source)));
        var wish = PersistentVolumeClaimSpec.EMPTY.withRequestedStorage(Quantity.parse("8Gi"));
        var claim = PersistentVolumeClaim.of("default", "data", wish.withAccessModes(modes));

        var ids = IdSource.random(new SecureRandom());
        var store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), InstantSource.system(), ids));
        try (store;
                var plane = ControlPlane.builder(store).start()) {
            store.create(Kinds.PERSISTENT_VOLUME, volume).orThrow();
            plane.whenQuiescent().join();
            out.println("would get " + plane.preview(claim).join().orElse("nothing"));
            store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim).orThrow();
            plane.whenQuiescent().join();
            var key = ObjectKey.of(claim);
            var seen = plane.ask(caches -> caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key));
            out.println(seen.join().orElseThrow().status().phase());
        }
        // example ends
    }
}
