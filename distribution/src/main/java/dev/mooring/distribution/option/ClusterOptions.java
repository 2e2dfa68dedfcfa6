// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster a command works on; the same options for every command that needs one. */
public final class ClusterOptions {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "The cluster. Default: the file that KUBECONFIG names, then the cluster of this pod.")
    private Optional<Path> kubeconfig = Optional.empty();

    /** Whether a file was named on the command line. */
    public boolean isNamed() {
        return kubeconfig.isPresent();
    }

    /** The files with credentials that are chosen from, whether or not they are there. */
    public Map<Path, String> files() {
        String named =
                kubeconfig.map(Path::toString).orElseGet(() -> System.getenv().getOrDefault("KUBECONFIG", ""));
        Map<Path, String> files = new LinkedHashMap<>();
        for (String each : named.split(":", -1)) {
            if (!each.isEmpty()) {
                files.put(Path.of(each).toAbsolutePath(), "the credentials for the cluster");
            }
        }
        return files;
    }

    /**
     * The address of the cluster and the credentials for it.
     *
     * @throws dev.mooring.kubernetes.ConnectionException if none is named, or the file is malformed
     */
    public Connection connection() {
        return Connection.choose(kubeconfig, System.getenv());
    }

    /**
     * The cluster as a store, to be closed by the caller.
     *
     * @throws dev.mooring.kubernetes.ConnectionException if none is named, or the file is malformed
     */
    public ClusterStore open() {
        return KubernetesStore.open(connection(), KubernetesOptions.DEFAULT.withUserAgent("mooring"));
    }
}
