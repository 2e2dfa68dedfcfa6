// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.Publishing;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * As what a volume is asked for; checked. Never shown: mount flags may hold passwords.
 *
 * @param access CSI's access mode
 * @param mode file system or block device
 * @param fsType the type of the file system; empty if the driver chooses
 * @param mountFlags options of the mount
 * @param group the group to which the plugin gives the files; empty for none
 */
record RequestedCapability(Mode access, VolumeMode mode, String fsType, List<String> mountFlags, OptionalInt group) {
    private static final Pattern GROUP = Pattern.compile("[0-9]{1,10}");

    RequestedCapability {
        mountFlags = List.copyOf(mountFlags);
    }

    /** Checks a capability; INVALID_ARGUMENT with the field that is missing, or that the plugin cannot do. */
    static RequestedCapability of(VolumeCapability capability, DriverTraits traits) throws RpcFailure {
        PluginDescriptor plugin = traits.plugin().describe();
        Mode access = capability.getAccessMode().getMode();
        if (capability.getAccessTypeCase() == VolumeCapability.AccessTypeCase.ACCESSTYPE_NOT_SET) {
            throw RpcFailure.invalid("volume_capability.access_type is missing");
        }
        if (access == Mode.UNKNOWN || access == Mode.UNRECOGNIZED) {
            throw RpcFailure.invalid("volume_capability.access_mode is missing or unknown");
        }
        if (!traits.can(capability.hasBlock() ? BlockMapping.class : Publishing.class)) {
            throw RpcFailure.invalid("volumes of plugin " + plugin.name() + " are no "
                    + (capability.hasBlock() ? "block devices" : "file systems"));
        }
        VolumeCapability.MountVolume mount = capability.getMount();
        if (mount.getMountFlagsCount() > 0 && !plugin.supportsMountOptions()) {
            throw RpcFailure.invalid("volumes of plugin " + plugin.name() + " have no mount flags");
        }
        return new RequestedCapability(
                access,
                capability.hasBlock() ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM,
                mount.getFsType(),
                mount.getMountFlagsList(),
                group(mount.getVolumeMountGroup(), traits));
    }

    private static OptionalInt group(String text, DriverTraits traits) throws RpcFailure {
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!traits.givesToGroup()) {
            throw RpcFailure.invalid("this driver does not declare VOLUME_MOUNT_GROUP");
        }
        long group = GROUP.matcher(text).matches() ? Long.parseLong(text) : -1;
        if (group < 0 || group > Integer.MAX_VALUE) {
            throw RpcFailure.invalid("volume_mount_group '" + text + "' is no number of a group");
        }
        return OptionalInt.of((int) group);
    }

    /** Kubernetes' mode of the same meaning. */
    AccessMode accessMode() {
        return switch (access) {
            case SINGLE_NODE_SINGLE_WRITER -> AccessMode.READ_WRITE_ONCE_POD;
            case MULTI_NODE_READER_ONLY -> AccessMode.READ_ONLY_MANY;
            case MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> AccessMode.READ_WRITE_MANY;
            default -> AccessMode.READ_WRITE_ONCE;
        };
    }

    /** Whether one node at a time may have the volume. */
    boolean onlyOneNode() {
        return switch (access) {
            case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> false;
            default -> true;
        };
    }

    boolean readOnly() {
        return access == Mode.SINGLE_NODE_READER_ONLY || access == Mode.MULTI_NODE_READER_ONLY;
    }

    /** Whether one target of the whole node may have the volume. The older modes do not say so: Kubernetes uses them for several pods. */
    boolean onlyOneTarget() {
        return access == Mode.SINGLE_NODE_SINGLE_WRITER;
    }

    /** The same for equal requests; shows nothing of them. */
    String fingerprint(boolean readOnly) {
        return Sha256.hex(access + "\n" + mode + "\n" + fsType + "\n" + readOnly + "\n" + String.join("\n", mountFlags)
                + (group.isPresent() ? "\ngroup " + group.getAsInt() : ""));
    }

    /** Says nothing of the mount flags. */
    @Override
    public String toString() {
        return access + " " + mode;
    }
}
