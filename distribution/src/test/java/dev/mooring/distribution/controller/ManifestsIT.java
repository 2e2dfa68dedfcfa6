// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.PrintedManifests;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests that are shipped are what a real API server and kubectl's validation take them for. */
@Tag("cluster")
class ManifestsIT {
    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static final String DEPLOYMENT = "distribution/src/dist/kubernetes/controller.yaml";
    private static final String AROUND = "distribution/src/dist/kubernetes/controller-around.yaml";

    @TempDir
    private Path home = Path.of("");

    private static String text(String file) throws Exception {
        return Files.readString(
                Path.of(System.getProperty("mooring.root", "..")).resolve(file));
    }

    private Kubectl.Said apply(String manifest) {
        return new Kubectl(CLUSTER.cluster.kubeconfig(), home)
                .run(manifest, "apply", "--dry-run=server", "--validate=true", "-f", "-");
    }

    /** Said of what another test has made without kubectl. */
    private static boolean isAboutOtherTests(String line) {
        return line.startsWith("Warning: resource ") && line.contains("last-applied-configuration");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/manifests/controller-rbac.yaml",
                "docs/manifests/node-rbac.yaml",
                "docs/manifests/snapshot-definitions.yaml",
                DEPLOYMENT,
                AROUND
            })
    void everyManifestIsTaken(String file) throws Exception {
        // The server of the tests is older than policy/v1, whose budgets have the same fields.
        Kubectl.Said said = apply(text(file).replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n"));
        assertThat(said.succeeded()).as(said.said()).isTrue();
        assertThat(said.said().lines().filter(line -> !isAboutOtherTests(line)))
                .isNotEmpty()
                .allMatch(line -> line.endsWith("(server dry run)"));
    }

    /** As {@code mooring csi manifests} prints them. */
    @ParameterizedTest
    @ValueSource(strings = {"nfs", "iscsi", "hostpath", "local"})
    void everyDriversManifestsAreTaken(String plugin) {
        Kubectl.Said said = apply(PrintedManifests.of(
                plugin, "--toleration", "dedicated=storage:NoSchedule", "--host-dir", "/mnt/disks"));
        assertThat(said.succeeded()).as(said.said()).isTrue();
        assertThat(said.said().lines().filter(line -> !isAboutOtherTests(line)))
                .isNotEmpty()
                .allMatch(line -> line.endsWith("(server dry run)"));
    }

    @Test
    void aMistakeWouldBeFound() throws Exception {
        Kubectl.Said said = apply(text(DEPLOYMENT).replace("readOnlyRootFilesystem", "readonlyRootFileSystem"));
        assertThat(said.succeeded()).as(said.said()).isFalse();
        assertThat(said.said()).contains("readonlyRootFileSystem");
    }
}
