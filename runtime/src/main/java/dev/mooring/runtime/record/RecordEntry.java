// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    /** The PersistentVolume's name, or {@code <pod uid>/<volume name>} for an inline source. */
    String volume();

    /** Whose storage it is about. */
    VolumeId volumeId();

    /** What the plugin wants to have back; {@link PluginState#NONE} as long as its answer is not known. */
    PluginState state();

    /** How far it has come. */
    RecordPhase phase();

    /** The boot in which the thing was done: what the kernel held of it has gone with that boot. */
    String bootId();

    /** The same, one step further. */
    RecordEntry in(RecordPhase newPhase);

    /** The same, with what the plugin answered. */
    RecordEntry with(PluginState newState);

    /** Folds the entry; every kind has to be considered. */
    <R> R match(Function<? super Publish, ? extends R> onPublish, Function<? super Stage, ? extends R> onStage);

    /**
     * A volume shown to one pod.
     *
     * @param pod the pod
     * @param podVolume the volume's name in the pod
     * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>} for an inline source
     * @param volumeId whose storage it is
     * @param deviceMap where the host holds the device of a volume that the pod sees as a raw device; absent for a file system
     * @param state what the plugin wants to have back; {@link PluginState#NONE} as long as its answer is not known
     * @param target where the pod sees it
     * @param phase how far it has come
     * @param bootId the boot in which it was published
     */
    @WithBuilder
    record Publish(
            PodRef pod,
            String podVolume,
            String volume,
            VolumeId volumeId,
            Optional<Path> deviceMap,
            PluginState state,
            Path target,
            RecordPhase phase,
            String bootId)
            implements RecordEntry, RecordEntryPublishBuilder.With {
        /** The key of what is known of a pod's volume. */
        public static String key(String podUid, String podVolume) {
            return "publish/" + podUid + "/" + podVolume;
        }

        @Override
        public String key() {
            return key(pod.uid(), podVolume);
        }

        @Override
        public Publish in(RecordPhase newPhase) {
            return withPhase(newPhase);
        }

        @Override
        public Publish with(PluginState newState) {
            return withState(newState);
        }

        @Override
        public <R> R match(
                Function<? super Publish, ? extends R> onPublish, Function<? super Stage, ? extends R> onStage) {
            return onPublish.apply(this);
        }
    }

    /**
     * A volume that the node uses, once for all its pods: reported in use if it has to be attached, prepared by the plugin if the plugin
     * prepares volumes.
     *
     * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>} for an inline source
     * @param volumeId whose storage it is
     * @param reportedName under which name the Node reports it in use while this record stands; absent if it needs no attachment
     * @param mode as what it was prepared
     * @param stagingPath where it was prepared; absent if the plugin does not prepare volumes
     * @param accessModes the volume's modes; empty for an inline source
     * @param readOnly whether it was prepared read-only
     * @param state what the plugin wants to have back; {@link PluginState#NONE} as long as its answer is not known
     * @param phase how far it has come
     * @param bootId the boot in which it was prepared
     * @param seLinuxLabel with which label of SELinux it was prepared; absent for none
     */
    @WithBuilder
    record Stage(
            String volume,
            VolumeId volumeId,
            Optional<String> reportedName,
            VolumeMode mode,
            Optional<Path> stagingPath,
            List<AccessMode> accessModes,
            boolean readOnly,
            PluginState state,
            RecordPhase phase,
            String bootId,
            Optional<String> seLinuxLabel)
            implements RecordEntry, RecordEntryStageBuilder.With {
        /** Copies the list. */
        public Stage {
            accessModes = List.copyOf(accessModes);
        }

        /** The key of what is known of a volume on this node. */
        public static String key(VolumeId volumeId) {
            return "stage/" + volumeId;
        }

        @Override
        public String key() {
            return key(volumeId);
        }

        @Override
        public Stage in(RecordPhase newPhase) {
            return withPhase(newPhase);
        }

        @Override
        public Stage with(PluginState newState) {
            return withState(newState);
        }

        @Override
        public <R> R match(
                Function<? super Publish, ? extends R> onPublish, Function<? super Stage, ? extends R> onStage) {
            return onStage.apply(this);
        }
    }
}
