// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How a volume is to be used, in CSI's words. One mapping of access modes serves every call, so that a set of modes that a driver cannot be
 * told is refused before a volume is made and not when it is attached (semantics/csi §6.3). Pure.
 */
public final class VolumeCapabilities {
    private VolumeCapabilities() {}

    /**
     * What is wrong with a set of access modes.
     *
     * @return done, or INVALID
     */
    public static Outcome<VolumeCapability.AccessMode.Mode> mode(List<AccessMode> modes, boolean multiWriter) {
        Set<AccessMode> all = modes.isEmpty() ? EnumSet.of(AccessMode.READ_WRITE_ONCE) : EnumSet.copyOf(modes);
        boolean onePod = all.contains(AccessMode.READ_WRITE_ONCE_POD);
        if (all.contains(AccessMode.UNKNOWN)) {
            return Outcome.refused(Refusal.INVALID, "CSI has no such access mode: " + modes);
        } else if (onePod && all.size() > 1) {
            return Outcome.refused(
                    Refusal.INVALID, "access mode ReadWriteOncePod cannot be combined with another one: " + modes);
        } else if (onePod) {
            return Outcome.done(
                    multiWriter
                            ? VolumeCapability.AccessMode.Mode.SINGLE_NODE_SINGLE_WRITER
                            : VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);
        } else if (all.contains(AccessMode.READ_WRITE_MANY)) {
            return Outcome.done(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER);
        } else if (all.size() > 1) {
            return Outcome.refused(
                    Refusal.INVALID, "CSI does not support the access modes ReadOnlyMany and ReadWriteOnce together");
        } else if (all.contains(AccessMode.READ_ONLY_MANY)) {
            return Outcome.done(VolumeCapability.AccessMode.Mode.MULTI_NODE_READER_ONLY);
        }
        return Outcome.done(
                multiWriter
                        ? VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER
                        : VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);
    }

    /**
     * The capability of a volume that is there.
     *
     * @param multiWriter whether the service that is called has SINGLE_NODE_MULTI_WRITER
     */
    public static Outcome<VolumeCapability> of(VolumeSpec volume, boolean multiWriter) {
        return of(
                volume.accessModes(),
                multiWriter,
                volume.mode(),
                CsiVolumeSource.of(volume).csi().fsType(),
                volume.mountOptions(),
                OptionalInt.empty());
    }

    /**
     * The capability of a volume on a node.
     *
     * @param abilities what the driver's node service can do
     * @param group the pod's group; sent only to a driver that gives the files to it itself (semantics/csi §6.8)
     */
    public static Outcome<VolumeCapability> onNode(
            VolumeSpec volume, Set<NodeServiceCapability.RPC.Type> abilities, OptionalInt group) {
        return of(
                volume.accessModes(),
                abilities.contains(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER),
                volume.mode(),
                CsiVolumeSource.of(volume).csi().fsType(),
                volume.mountOptions(),
                abilities.contains(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP) ? group : OptionalInt.empty());
    }

    /**
     * A volume's capability.
     *
     * @param modes the volume's access modes; none means ReadWriteOnce
     * @param multiWriter whether the service that is called has SINGLE_NODE_MULTI_WRITER
     * @param mode file system or block device; a block device has neither options nor a group
     * @param fsType the file system; empty for the driver's own choice
     * @param mountOptions options of the mount, which may be sensitive
     * @param group the group that the driver gives the files to; empty for none
     */
    public static Outcome<VolumeCapability> of(
            List<AccessMode> modes,
            boolean multiWriter,
            VolumeMode mode,
            String fsType,
            List<String> mountOptions,
            OptionalInt group) {
        return mode(modes, multiWriter).map(access -> {
            VolumeCapability.Builder capability = VolumeCapability.newBuilder()
                    .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(access));
            if (mode == VolumeMode.BLOCK) {
                return capability
                        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                        .build();
            }
            VolumeCapability.MountVolume.Builder mount =
                    VolumeCapability.MountVolume.newBuilder().setFsType(fsType).addAllMountFlags(mountOptions);
            group.ifPresent(number -> mount.setVolumeMountGroup(Integer.toString(number)));
            return capability.setMount(mount).build();
        });
    }
}
