// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.function.Function;

/** What a pod's volume turned out to be. */
sealed interface Resolution {
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
     * @param readOnly whether the pod may not write
     * @param attachable whether it has to be attached to this node first
     */
    record Ready(String volume, VolumeId volumeId, VolumeSpec spec, Path target, boolean readOnly, boolean attachable)
            implements Resolution {
        @Override
        public <R> R match(
                Function<? super Ready, ? extends R> onReady,
                Function<? super Waiting, ? extends R> onWaiting,
                Function<? super Failed, ? extends R> onFailed) {
            return onReady.apply(this);
        }
    }

    /** Something that others are expected to do is not done yet; nobody has to be told. */
    record Waiting(String reason) implements Resolution {
        @Override
        public <R> R match(
                Function<? super Ready, ? extends R> onReady,
                Function<? super Waiting, ? extends R> onWaiting,
                Function<? super Failed, ? extends R> onFailed) {
            return onWaiting.apply(this);
        }
    }

    /** It cannot be published as it is; somebody has to change something. */
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
