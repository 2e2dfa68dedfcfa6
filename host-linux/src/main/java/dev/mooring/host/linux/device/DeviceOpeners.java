// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.host.linux.process.OpenLinks;
import dev.mooring.storage.spi.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Which processes have a device open. An exclusive opening does not tell: a program such as a virtual machine opens its disk without it.
 */
final class DeviceOpeners {
    /** What opens each disk that appears, or is run by udev for it to identify it. It writes nothing, and closes the disk by itself. */
    private static final Set<String> OF_ALL_DISKS = Set.of(
            "systemd-udevd",
            "(udev-worker)",
            "udevd",
            "multipathd",
            "multipath",
            "scsi_id",
            "sg_inq",
            "blkid",
            "kpartx");

    private final OpenLinks links;
    private final String self;
    private final Function<Path, Optional<String>> numberOf;

    /**
     * @param proc {@code /proc}
     * @param self this process, which does not count
     * @param numberOf the number of the block device behind a path; empty for anything else
     */
    DeviceOpeners(Path proc, long self, Function<Path, Optional<String>> numberOf) {
        this.links = new OpenLinks(proc);
        this.self = Long.toString(self);
        this.numberOf = numberOf;
    }

    /**
     * One line per process, such as {@code process 4711 (qemu-system-x86)}. A process whose descriptors this one has no right to read does
     * not count.
     *
     * @return the lines; deferred if the processes cannot be listed
     */
    Outcome<List<String>> of(String number) {
        List<String> openers = new ArrayList<>();
        try {
            for (Path process : links.holders(link -> isDevice(link, number), Integer.MAX_VALUE)) {
                String pid = String.valueOf(process.getFileName());
                String name = nameOf(process);
                if (!pid.equals(self) && !OF_ALL_DISKS.contains(name)) {
                    openers.add("process " + pid + " (" + name + ")");
                }
            }
        } catch (IOException e) {
            return Outcome.deferred("which processes have device " + number + " open cannot be read: " + e);
        }
        return Outcome.done(List.copyOf(openers));
    }

    /** Only what lies in /dev is looked at: another file may be on a server that does not answer. */
    private boolean isDevice(OpenLinks.Link link, String number) {
        return link.target().startsWith("/dev") && numberOf.apply(link.path()).equals(Optional.of(number));
    }

    private static String nameOf(Path process) {
        try {
            return Files.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException ended) {
            return "ended";
        }
    }
}
