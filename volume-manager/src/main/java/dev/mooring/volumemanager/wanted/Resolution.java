// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.calls.PodSetup;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What a pod's volume turned out to be. */
public sealed interface Resolution {
    /** Folds the resolution. */
    <R> R match(
            Function<? super Ready, ? extends R> onReady,
            Function<? super Waiting, ? extends R> onWaiting,
            Function<? super Failed, ? extends R> onFailed);

    /**
     * It can be published.
     *
     * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
     * @param volumeId whose storage it is
     * @param spec as the plugin sees it
     * @param target where the pod will see it
     * @param deviceMap where the host holds the device that the pod will see; absent for a file system
     * @param readOnly whether the pod may not write
     * @param device what the node has to do before; absent if nothing
     * @param setup what the host does to it besides
     */
    record Ready(
            String volume,
            VolumeId volumeId,
            VolumeSpec spec,
            Path target,
            Optional<Path> deviceMap,
            boolean readOnly,
            Optional<Device> device,
            PodSetup setup)
            implements Resolution {
        /** As the plugin is to show it: a CSI driver is told the label of a volume in both calls (semantics/csi §6.9). */
        public VolumeSpec shownSpec() {
            return CsiSource.of(spec.source())
                    .flatMap(csi -> device)
                    .map(Device::preparedSpec)
                    .orElse(spec);
        }

        /** Whether only one pod at a time may have it (S9); never so for a source written in a pod, which has no modes. */
        public boolean singlePod() {
            return !spec.uid().isEmpty() && spec.accessModes().equals(List.of(AccessMode.READ_WRITE_ONCE_POD));
        }

        @Override
        public <R> R match(
                Function<? super Ready, ? extends R> onReady,
                Function<? super Waiting, ? extends R> onWaiting,
                Function<? super Failed, ? extends R> onFailed) {
            return onReady.apply(this);
        }
    }

    /** Something that others are expected to do is not done yet; it is reported only if it takes long. */
    record Waiting(String reason) implements Resolution {
        @Override
        public <R> R match(
                Function<? super Ready, ? extends R> onReady,
                Function<? super Waiting, ? extends R> onWaiting,
                Function<? super Failed, ? extends R> onFailed) {
            return onWaiting.apply(this);
        }
    }

    /** It cannot be published as it is; an object has to be changed first. */
    record Failed(String reason) implements Resolution {
        @Override
        public <R> R match(
                Function<? super Ready, ? extends R> onReady,
                Function<? super Waiting, ? extends R> onWaiting,
                Function<? super Failed, ? extends R> onFailed) {
            return onFailed.apply(this);
        }
    }
}
