// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Who keeps a mount busy, as far as the links in /proc tell; they are read, never followed. */
final class Holders {
    private static final int MOST = 5;

    private Holders() {}

    /** A text to append to a message; empty if nobody was found. */
    static String of(Path mountPoint) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (found.size() < MOST && holds(process, mountPoint)) {
                    found.add(String.valueOf(process.getFileName()));
                }
            }
        } catch (IOException | DirectoryIteratorException notReadable) {
            return "";
        }
        return found.isEmpty() ? "" : found.stream().collect(Collectors.joining(", ", ", held by the processes ", ""));
    }

    private static boolean holds(Path process, Path mountPoint) {
        if (isWithin(process.resolve("cwd"), mountPoint) || isWithin(process.resolve("root"), mountPoint)) {
            return true;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (isWithin(descriptor, mountPoint)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException ended) {
            return false;
        }
        return false;
    }

    private static boolean isWithin(Path link, Path mountPoint) {
        try {
            return Files.readSymbolicLink(link).startsWith(mountPoint);
        } catch (IOException ended) {
            return false;
        }
    }
}
