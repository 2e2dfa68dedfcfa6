// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Which processes have a device open, as the descriptors below {@code /proc} show. An exclusive opening does not tell: a program such as a
 * virtual machine opens its disk without it.
 */
final class DeviceOpeners {
    /** What opens each disk that appears, and closes it by itself when the disk goes. */
    private static final Set<String> OF_ALL_DISKS = Set.of("systemd-udevd", "(udev-worker)", "udevd", "multipathd");

    private final Path proc;
    private final long self;
    private final Function<Path, Optional<String>> numberOf;

    /**
     * @param proc {@code /proc}
     * @param self this process, which does not count
     * @param numberOf the number of the block device behind a path; empty for anything else
     */
    DeviceOpeners(Path proc, long self, Function<Path, Optional<String>> numberOf) {
        this.proc = proc;
        this.self = self;
        this.numberOf = numberOf;
    }

    /** One line per process, such as {@code process 4711 (qemu-system-x86)}. A process that ends meanwhile is left out. */
    List<String> of(String number) {
        List<String> openers = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                String pid = String.valueOf(process.getFileName());
                if (!pid.equals(Long.toString(self)) && hasOpen(process, number)) {
                    String name = nameOf(process);
                    if (!OF_ALL_DISKS.contains(name)) {
                        openers.add("process " + pid + " (" + name + ")");
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException notReadable) {
            return List.copyOf(openers);
        }
        return List.copyOf(openers);
    }

    private boolean hasOpen(Path process, String number) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                // The text alone is read first: a look at a file may wait for its server.
                if (Files.readSymbolicLink(descriptor).startsWith("/dev")
                        && numberOf.apply(descriptor).equals(Optional.of(number))) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException ended) {
            return false;
        }
        return false;
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
