// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Raw devices of drivers where a kubelet keeps them: by the names of PersistentVolumes, with a file that says which volume it is (semantics/csi
 * §6.5). Mooring's own are named by the volume and have no such file.
 *
 * @param devices the directory of all devices, {@code plugins/kubernetes.io/csi/volumeDevices}
 */
record KubeletDevices(Path devices) {
    private static final String PUBLISH = "publish";
    private static final String STAGING = "staging";
    private static final String DATA = "data";
    private static final String HELD = "dev";
    private static final int MOST = 1 << 16;

    /**
     * The volume whose device is held at a path for a pod.
     *
     * @return refused as NOT_FOUND if no kubelet has noted which it is; deferred if the path is another one, which belongs to the driver
     */
    Outcome<VolumeSource> heldAt(OperationContext context, Path path) {
        Path below = devices.relativize(path);
        return below.getNameCount() == 3 && below.getName(1).toString().equals(HELD)
                ? noteOf(below.getName(0).toString()).read(context)
                : Outcome.deferred("it belongs to a CSI driver, and no device that it shows is held for a pod");
    }

    private VolumeDataFile noteOf(String name) {
        return new VolumeDataFile(devices.resolve(name).resolve(DATA));
    }

    /** Where a kubelet has had the volume published for a pod; empty if it has not. */
    Outcome<Optional<Path>> published(OperationContext context, VolumeId volume, PodRef pod) {
        return names(context).then(names -> {
            for (String name : names) {
                Path published = devices.resolve(PUBLISH).resolve(name).resolve(pod.uid());
                Outcome<Boolean> known =
                        isOf(context, name, volume).then(of -> of ? isThere(context, published) : no());
                Optional<Boolean> answer = known.result();
                if (answer.isEmpty()) {
                    return known.map(never -> Optional.empty());
                } else if (answer.get()) {
                    return Outcome.done(Optional.of(published));
                }
            }
            return Outcome.done(Optional.empty());
        });
    }

    private static Outcome<Boolean> no() {
        return Outcome.done(false);
    }

    private Outcome<List<String>> names(OperationContext context) {
        return context.host().files().open(devices, LinkRule.REFUSE).ifFound().then(found -> {
            if (found.isEmpty()) {
                return Outcome.done(List.of());
            }
            try (PinnedPath directory = found.get()) {
                return directory
                        .list(MOST)
                        .map(names -> names.stream()
                                .filter(name -> !name.equals(PUBLISH) && !name.equals(STAGING))
                                .sorted()
                                .toList());
            }
        });
    }

    private Outcome<Boolean> isOf(OperationContext context, String name, VolumeId volume) {
        return noteOf(name)
                .read(context)
                .map(CsiVolumeSource::of)
                .map(noted -> noted.driver().equals(NodePaths.driver(volume))
                        && noted.handle().equals(NodePaths.handle(volume)))
                .recoverRefused(unknown -> no());
    }

    private static Outcome<Boolean> isThere(OperationContext context, Path path) {
        return context.host().files().open(path, LinkRule.REFUSE).ifFound().map(found -> {
            found.ifPresent(PinnedPath::close);
            return found.isPresent();
        });
    }

    /** Removes what a kubelet has noted of a volume when it is unstaged. Mooring itself notes nothing there. */
    Outcome<Nothing> forget(OperationContext context, Path stagingPath) {
        Path name = stagingPath.getFileName();
        if (name == null || !devices.resolve(STAGING).equals(stagingPath.getParent())) {
            return Outcome.done();
        }
        Path own = devices.resolve(name);
        Outcome<Nothing> forgotten = noteOf(name.toString())
                .remove(context)
                .then(gone -> LeftMounts.remove(context, own.resolve(DATA)))
                .then(gone -> LeftMounts.remove(context, own.resolve(HELD)))
                .then(gone -> LeftMounts.remove(context, own));
        return forgotten.recoverRefused(left -> Outcome.done());
    }
}
