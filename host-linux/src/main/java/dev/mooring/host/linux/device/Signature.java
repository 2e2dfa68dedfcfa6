// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code blkid} recognised on a device.
 *
 * @param type of a file system or of another content such as {@code LVM2_member}; for a partition table {@code dos partition table}
 * @param fileSystem whether it is a file system
 * @param uuid its identity; absent if it has none
 */
public record Signature(String type, boolean fileSystem, Optional<String> uuid) {
    /** Reads the lines {@code NAME=value} that {@code blkid -o export} writes. */
    static Signature parse(String output) {
        Map<String, String> values = new HashMap<>();
        output.lines()
                .map(line -> line.split("=", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> values.put(parts[0], parts[1]));
        Optional<String> type = Optional.ofNullable(values.get("TYPE"));
        Optional<String> table = Optional.ofNullable(values.get("PTTYPE"));
        String name =
                type.or(() -> table.map(kind -> kind + " partition table")).orElse("something unknown");
        // a boot sector of a file system looks like a partition table too; only what is nothing but a file system
        // counts as one
        boolean fileSystem = type.isPresent() && "filesystem".equals(values.get("USAGE"));
        return new Signature(name, fileSystem, Optional.ofNullable(values.get("UUID")));
    }
}
