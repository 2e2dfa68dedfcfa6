// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many pods with directories above the node's own, each time in a mount namespace of its own. */
@Tag("long")
class PinnedPodsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0} root, seed {1}")
    @CsvSource({"shared,1", "shared,2", "private,1", "private,2"})
    @DisplayName(
            "H5 twenty pods cost twenty times what one of them shows, nothing of one comes to another, and all of it goes")
    void h05_twentyPodsOfTheRoot(String propagation, long seed) throws IOException {
        Path told = inNamespaceOfItsOwn(propagation, "mixed", Long.toString(seed));

        assertThat(Files.readAllLines(told)).last().isEqualTo("over");
    }

    @ParameterizedTest(name = "{0} root")
    @CsvSource({"shared", "private"})
    @DisplayName("H5 what an older version has pinned goes, and multiplies nothing meanwhile")
    void h05_pinsOfAnOlderVersion(String propagation) throws IOException {
        Path told = inNamespaceOfItsOwn(propagation, "older", "1");

        assertThat(Files.readAllLines(told)).last().isEqualTo("over");
    }

    private Path inNamespaceOfItsOwn(String propagation, String story, String seed) throws IOException {
        LinuxHost here = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")))
                .orElse(null);
        assumeTrue(here != null, "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)) {
            assumeTrue(here.capabilities().has(feature), () -> "needs " + feature);
        }
        assumeTrue(here.processes().locate("unshare").isPresent(), "needs unshare");
        Path told = directory.resolve("told");
        List<String> words = new ArrayList<>(List.of("unshare", "--mount", "--propagation", propagation));
        String classes = System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", "");
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-cp", classes, PinnedPods.class.getName()));
        words.addAll(List.of(directory.toRealPath().toString(), propagation, story, seed, told.toString()));
        HostPathNode.tool(words.toArray(String[]::new));
        return told;
    }
}
