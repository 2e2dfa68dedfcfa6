// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.runtime.control.FileFailures;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The files of a cluster below its data directory. Those named here are made after the cluster's first objects were written: where there
 * are any, there was a cluster.
 *
 * @param data the directory
 */
record DataFiles(Path data) {
    private static final List<String> LATER =
            List.of("store/node.db", "access", "backups", "kubelet", "state", "hostpath");

    /** The directory, made if it is not there. */
    static DataFiles in(Path wanted) throws IOException {
        DataFiles files = new DataFiles(directory(wanted));
        // Secrets lie in it: for its owner alone.
        Files.setPosixFilePermissions(
                directory(files.data.resolve("store")), PosixFilePermissions.fromString("rwx------"));
        return files;
    }

    Path cluster() {
        return data.resolve("store/cluster.db");
    }

    Path records() {
        return data.resolve("store/node.db");
    }

    /**
     * Where there was a cluster, its objects have to be there: a new, empty cluster would take away what pods have mounted.
     *
     * @throws IOException if they are not; nothing was changed then
     */
    void requireCluster() throws IOException {
        if (Files.notExists(cluster())) {
            refuseNew("is missing");
        } else if (Files.isReadable(cluster()) && Files.size(cluster()) == 0) {
            refuseNew("is empty");
        }
    }

    /**
     * To be asked before the first objects are written to a cluster that has none.
     *
     * @throws IOException if there was a cluster before
     */
    void refuseNew(String whatItIs) throws IOException {
        Optional<Path> other = ofAnEarlierStart();
        if (other.isPresent()) {
            throw new IOException("the cluster store " + cluster() + " " + whatItIs + ", though there is " + other.get()
                    + " of an earlier start: a new cluster would be empty and unmount what pods have mounted here."
                    + " Restore a backup to it, or remove all of " + data + " for a new cluster");
        }
    }

    private Optional<Path> ofAnEarlierStart() throws IOException {
        for (String name : LATER) {
            Path file = data.resolve(name);
            if (Files.isDirectory(file) ? !isEmpty(file) : Files.exists(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** An empty directory tells nothing: that for claims is made before all else. Nor does the one in which drivers register. */
    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(directory, entry -> !entry.endsWith("plugins_registry"))) {
            return !entries.iterator().hasNext();
        }
    }

    private static Path directory(Path wanted) throws IOException {
        try {
            return Files.createDirectories(wanted).toRealPath();
        } catch (IOException e) {
            throw new IOException("the data directory " + wanted + " cannot be used: " + FileFailures.reason(e), e);
        }
    }
}
