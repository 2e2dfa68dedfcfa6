// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Metric;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node put aside below {@code orphans}, since it may be the only copy of the data: what was written into a mount point while
 * nothing was mounted, and what could not be removed with its pod. Only a person may remove it, so events say that it is there.
 */
final class SetAside {
    private static final Logger LOG = LoggerFactory.getLogger(SetAside.class);

    private final Path directory;

    /** Below the directory where volumes are mounted for pods. */
    SetAside(Path root) {
        directory = root.resolve("orphans");
    }

    /** Removes what is empty, and warns of the rest; for the start of a node. */
    void tell() {
        walk(SetAside::removeIfEmpty);
        String text = warning().orElse("");
        if (!text.isEmpty()) {
            LOG.warn("{}", text);
        }
    }

    /** What people are to know; empty if nothing was put aside. */
    Optional<String> warning() {
        long count = count();
        return count == 0
                ? Optional.empty()
                : Optional.of(directory + " has " + count + (count == 1 ? " entry" : " entries")
                        + " with data that volumes left behind. Look at each, keep what you need, and remove it");
    }

    /** How many entries there are; 0 if the directory cannot be read. */
    long count() {
        return walk(entry -> {});
    }

    Metric metric() {
        return new Counters()
                .add((double) count())
                .as(
                        "mooring_node_set_aside_entries",
                        Metric.Type.GAUGE,
                        "Number of files and directories that volumes left behind, which a person has to look at");
    }

    private static void removeIfEmpty(Path entry) throws IOException {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(entry); // fails if there is anything in it
        }
    }

    @FunctionalInterface
    private interface Step {
        void on(Path entry) throws IOException;
    }

    private long walk(Step step) {
        long entries = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path entry : all) {
                entries++;
                try {
                    step.on(entry);
                } catch (IOException stays) {
                    LOG.debug("{} stays: {}", entry, stays.toString());
                }
            }
        } catch (IOException | DirectoryIteratorException none) {
            LOG.debug("nothing was put aside: {}", none.toString());
        }
        return entries;
    }
}
