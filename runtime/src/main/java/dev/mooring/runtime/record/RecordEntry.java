// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * One line of a {@link RecordLog}: everything that undoing needs, so that it never depends on an object that may have gone. Of the
 * entries with one {@link #key} the latest is the truth. Immutable; holds no secret.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface RecordEntry {
    /** What the entry is about; unique among the things that exist at one time on one node. */
    String key();

    /** Whose storage it is about. */
    VolumeId volumeId();

    /** How far it has come. */
    RecordPhase phase();

    /** The boot in which the thing was done: what the kernel held of it has gone with that boot. */
    String bootId();

    /** Folds the entry; every kind has to be considered. */
    <R> R match(Function<? super Publish, ? extends R> onPublish);

    /**
     * A volume shown to one pod.
     *
     * @param pod the pod
     * @param podVolume the volume's name in the pod
     * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>} for an inline source
     * @param volumeId whose storage it is
     * @param attachable whether the volume has to be attached to the node, so that the Node reports it in use while this record stands
     * @param state what the plugin wants to have back; {@link PluginState#NONE} as long as its answer is not known
     * @param target where the pod sees it
     * @param phase how far it has come
     * @param bootId the boot in which it was published
     */
    record Publish(
            PodRef pod,
            String podVolume,
            String volume,
            VolumeId volumeId,
            boolean attachable,
            PluginState state,
            Path target,
            RecordPhase phase,
            String bootId)
            implements RecordEntry {
        /** The key of what is known of a pod's volume. */
        public static String key(String podUid, String podVolume) {
            return "publish/" + podUid + "/" + podVolume;
        }

        @Override
        public String key() {
            return key(pod.uid(), podVolume);
        }

        /** The same, one step further. */
        public Publish in(RecordPhase newPhase) {
            return new Publish(pod, podVolume, volume, volumeId, attachable, state, target, newPhase, bootId);
        }

        /** The same, with what the plugin answered. */
        public Publish with(PluginState newState) {
            return new Publish(pod, podVolume, volume, volumeId, attachable, newState, target, phase, bootId);
        }

        @Override
        public <R> R match(Function<? super Publish, ? extends R> onPublish) {
            return onPublish.apply(this);
        }
    }
}
