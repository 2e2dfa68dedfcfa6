// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The values of limits, for messages about a limit that is reached. */
public final class KernelLimits {
    /** Read at the start: when it is reached, the file that tells it cannot be opened. */
    private static final OptionalLong OPEN_FILES = openFiles(Path.of("/proc/self/limits"));

    private KernelLimits() {}

    /** How many files this process may have open; empty if that is unknown or unlimited. */
    public static OptionalLong openFiles() {
        return OPEN_FILES;
    }

    static OptionalLong openFiles(Path limits) {
        try (Stream<String> lines = Files.lines(limits)) {
            return lines.filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split(" +", -1)[3])
                    .filter(soft -> soft.matches("[0-9]{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException | RuntimeException unknown) {
            return OptionalLong.empty();
        }
    }

    /** How many mounts a mount namespace may have; empty if that is unknown. */
    static Optional<String> mounts() {
        return setting("mount-max");
    }

    /** How many files the machine may have open; empty if that is unknown. */
    static Optional<String> files() {
        return setting("file-max");
    }

    private static Optional<String> setting(String name) {
        try {
            return Optional.of(Files.readString(Path.of("/proc/sys/fs", name)).strip());
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
