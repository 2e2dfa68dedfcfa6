// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.storage.model.Pod;
import java.util.function.Function;
import java.util.function.Supplier;

/** Whether a pod needs a volume. */
public sealed interface DesiredVolume {
    /** The volume is not needed, by evidence: the pod says that it ends, or a live read says that it is gone. */
    DesiredVolume NOT = new Not(true);

    /** The pod lives on, but the machine is about to be shut down: its next boot shows the volume again. */
    DesiredVolume LATER = new Not(false);

    /** The pod's object is not in the cache, which is no evidence for anything (S7). */
    DesiredVolume UNKNOWN = new Unknown();

    /** Folds the want. */
    <R> R match(
            Function<? super Needed, ? extends R> onNeeded,
            Supplier<? extends R> onUnknown,
            Supplier<? extends R> onNot);

    /** The pod needs the volume. */
    record Needed(Pod pod, WantedVolume volume, Resolution resolution) implements DesiredVolume {
        @Override
        public <R> R match(
                Function<? super Needed, ? extends R> onNeeded,
                Supplier<? extends R> onUnknown,
                Supplier<? extends R> onNot) {
            return onNeeded.apply(this);
        }
    }

    /** See {@link #UNKNOWN}. */
    record Unknown() implements DesiredVolume {
        @Override
        public <R> R match(
                Function<? super Needed, ? extends R> onNeeded,
                Supplier<? extends R> onUnknown,
                Supplier<? extends R> onNot) {
            return onUnknown.get();
        }
    }

    /**
     * See {@link #NOT} and {@link #LATER}.
     *
     * @param forGood whether the pod never needs it again
     */
    record Not(boolean forGood) implements DesiredVolume {
        @Override
        public <R> R match(
                Function<? super Needed, ? extends R> onNeeded,
                Supplier<? extends R> onUnknown,
                Supplier<? extends R> onNot) {
            return onNot.get();
        }
    }
}
