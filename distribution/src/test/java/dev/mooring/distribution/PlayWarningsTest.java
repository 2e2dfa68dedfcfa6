// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code play} says of fields that no kind has: the store keeps them, and a user who misspelt one would see no effect. */
class PlayWarningsTest {
    private static final String HEAD = "apiVersion: mooring.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nspec:\n";
    private static final String VOLUME = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},"
            + " spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /a}, %s}}";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory = Path.of("");

    @Test
    void namesFileStepAndFieldAndPlaysOn() throws IOException {
        Files.writeString(
                directory.resolve("world.yaml"), VOLUME.formatted("old", "persistentVolumeReclaimPolcy: Delete"));
        Path file = Files.writeString(
                directory.resolve("s.yaml"),
                HEAD + "  include: [world.yaml]\n  steps:\n  - name: one\n    apply: ["
                        + VOLUME.formatted("new", "storageClass: x")
                        + "]\n    patch: [{kind: PersistentVolume, name: new, merge: {spec: {mountOption: [ro]}}}]\n");
        assertThat(play(file)).isZero();
        assertThat(err.toString().lines())
                .isEqualTo(List.of(
                        "mooring: warning: " + file
                                + ": spec.include[0]: world.yaml: spec.persistentVolumeReclaimPolcy: unknown field",
                        "mooring: warning: " + file + ": step 1 'one': apply[0].spec.storageClass: unknown field",
                        "mooring: warning: " + file
                                + ": step 1 'one': patch[0].merge.spec.mountOption: unknown field"));
        assertThat(out.toString()).contains("new").doesNotContain("unknown field");
    }

    @Test
    void saysNothingOfWhatIsKnown() throws IOException {
        Path file = Files.writeString(
                directory.resolve("s.yaml"),
                HEAD + "  steps:\n  - name: one\n    apply: ["
                        + VOLUME.formatted("new", "persistentVolumeReclaimPolicy: Delete, mountOptions: [ro]")
                        + "]\n    patch: [{kind: PersistentVolume, name: new, merge: {metadata: {labels: {any: thing}}}}]\n");
        assertThat(play(file)).isZero();
        assertThat(err.toString()).isEmpty();
    }

    private int play(Path file) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute("play", file.toString());
    }
}
