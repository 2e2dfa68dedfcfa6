// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where tools are: looked up in fixed directories, the first answer counts for ever. */
public final class Tools {
    /** The search path, which tools are given too. */
    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final List<Path> directories;
    private final Map<String, Optional<Path>> found = new ConcurrentHashMap<>();

    Tools(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    public static Tools ofSystem() {
        return new Tools(List.of(PATH.split(":")).stream().map(Path::of).toList());
    }

    public Optional<Path> locate(String tool) {
        return found.computeIfAbsent(
                tool,
                name -> directories.stream()
                        .map(directory -> directory.resolve(name))
                        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                        .findFirst());
    }
}
