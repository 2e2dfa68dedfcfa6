// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * One line of the mount table.
 *
 * @param id the mount's number; may be given to another mount when this one has gone
 * @param parent the number of the mount on which it is mounted
 * @param device major and minor number of the file system, such as {@code 8:1}; may change with a reboot
 * @param root what of the file system is shown, as a path within it, without the mark of a deleted directory
 * @param rootDeleted whether that directory has been deleted
 * @param mountPoint where it is mounted
 * @param options the mount's own options, such as {@code ro} and {@code nosuid}
 * @param peerGroup the group whose members share their mounts; empty if it shares with none
 * @param master the group from which it receives mounts; empty if from none
 * @param fsType the type of the file system, such as {@code ext4}
 * @param source what the file system says it is made of, such as {@code /dev/sda1} or {@code server:/export}
 * @param superOptions the options of the file system, as they stand in the table; commas within quotes do not separate
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record MountEntry(
        int id,
        int parent,
        String device,
        String root,
        boolean rootDeleted,
        Path mountPoint,
        List<String> options,
        OptionalLong peerGroup,
        OptionalLong master,
        String fsType,
        String source,
        List<String> superOptions)
        implements MountEntryBuilder.With {
    /** Copies the lists. */
    public MountEntry {
        options = List.copyOf(options);
        superOptions = List.copyOf(superOptions);
    }

    /** Whether nothing can be written through it, be it for the mount or for the file system. */
    public boolean readOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }

    /** Whether it is the same part of the same file system or lies within it: a reference to it. */
    public boolean showsWithin(String otherDevice, String otherRoot) {
        return device.equals(otherDevice)
                && (root.equals(otherRoot) || otherRoot.equals("/") || root.startsWith(otherRoot + "/"));
    }

    @Override
    public String toString() {
        return source + (root.equals("/") ? "" : "[" + root + "]") + " (" + fsType + ", " + device + ") on "
                + mountPoint;
    }
}
