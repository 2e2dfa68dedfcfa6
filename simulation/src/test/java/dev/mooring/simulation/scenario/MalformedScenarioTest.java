// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is wrong with a file, the answer is one line that names file, step and key. */
class MalformedScenarioTest {
    private static final String HEAD = """
        apiVersion: mooring.dev/v1alpha1
        kind: Scenario
        metadata: {name: broken}
        spec:
        """;

    @TempDir
    Path folder;

    @Test
    void unknownVerb() throws IOException {
        refused(
                "  steps:\n  - {name: one, frobnicate: []}\n",
                "s.yaml: step 1 'one': frobnicate: unknown verb; known: load, apply, patch, delete, fault, stop,"
                        + " restart, handover, pause, clock, watch, work, advance, calm, settle, expect");
    }

    @Test
    void wrongTypes() throws IOException {
        refused("  steps: 7\n", "s.yaml: spec.steps: must be a list, not the number 7");
        refused("  seed: many\n  steps: []\n", "s.yaml: spec.seed: must be a whole number, not text");
        refused("  steps:\n  - {name: one, apply: {}}\n", "s.yaml: step 1 'one': apply: must be a list, not a map");
        refused("  steps:\n  - {name: one, apply: [x]}\n", "s.yaml: step 1 'one': apply[0]: must be a map, not text");
        refused("  steps:\n  - just text\n", "s.yaml: step 1: must be a map, not text");
        refused(
                "  steps:\n  - {name: one, settle: 'false'}\n",
                "s.yaml: step 1 'one': settle: must be true or false, not text");
        refused(
                "  steps:\n  - {name: one, advance: 5}\n",
                "s.yaml: step 1 'one': advance: must be text, not the number 5");
        refused(
                "  steps:\n  - {name: one, advance: soon}\n",
                "s.yaml: step 1 'one': advance: must be a duration such as 15s or 6m, not 'soon'");
    }

    @Test
    void missingNames() throws IOException {
        refused("  steps:\n  - {advance: 1s}\n", "s.yaml: step 1: name: is missing");
        refused(
                "  steps:\n  - {name: one, delete: [{kind: Pod}]}\n",
                "s.yaml: step 1 'one': delete[0].name: is missing");
        refused(
                "  steps:\n  - name: one\n    apply:\n    - {apiVersion: v1, kind: Pod, metadata: {}, spec: {}}\n",
                "s.yaml: step 1 'one': apply[0].metadata.name: is missing");
        assertThat(play("apiVersion: mooring.dev/v1alpha1\nkind: Scenario\nmetadata: {}\nspec: {steps: []}\n"))
                .isEqualTo("s.yaml: metadata.name: is missing");
    }

    @Test
    void badQuantity() throws IOException {
        assertThat(error("  steps:\n  - name: one\n    apply:\n    - {apiVersion: v1, kind: PersistentVolume,"
                        + " metadata: {name: a}, spec: {capacity: {storage: lots}}}\n"))
                .startsWith("s.yaml: step 1 'one': apply[0].spec.capacity.storage: ")
                .contains("lots");
    }

    @Test
    void unknownKeys() throws IOException {
        refused(
                "  steps: []\n  colour: red\n",
                "s.yaml: spec.colour: unknown key; known here: seed, controllers, include, drivers,"
                        + " attachers, invariants, lenient, steps");
        refused(
                "  steps:\n  - {name: one, fault: [{plugin: a/b, operation: recycle, outcome: refused, nth: 1}]}\n",
                "s.yaml: step 1 'one': fault[0].nth: unknown key; known here: plugin, operation, node, outcome,"
                        + " message, times");
        refused(
                "  steps:\n  - {name: one, expect: [{kind: Pod, name: a, absent: true, matches: {}}]}\n",
                "s.yaml: step 1 'one': expect[0]: needs one of matches and absent, or one of event, noEvent, call,"
                        + " noCall, writes, reads, refused");
    }

    @Test
    void unknownWords() throws IOException {
        refused(
                "  controllers: [binder, dishwasher]\n  steps: []\n",
                "s.yaml: spec.controllers[1]: 'dishwasher' is not one of binder, pvc-protection, clone-protection,"
                        + " pv-protection, vac-protection, expansion, volume-modification, ephemeral, attach-detach, scheduler, node");
        refused(
                "  steps:\n  - {name: one, delete: [{kind: Toaster, name: a}]}\n",
                "s.yaml: step 1 'one': delete[0].kind: unknown kind 'Toaster'");
        refused(
                "  steps:\n  - {name: one, fault: [{store: update, kind: Pod, outcome: explode}]}\n",
                "s.yaml: step 1 'one': fault[0].outcome: 'explode' is not one of conflict, unavailable,"
                        + " unavailable-applied, late, crash-before, crash-after");
        refused(
                "  steps:\n  - {name: one, stop: everything}\n",
                "s.yaml: step 1 'one': stop: must be controllers, node/NAME, attacher, provisioner, resizer, not 'everything'");
        refused(
                "  steps:\n  - {name: one, restart: node/n9}\n",
                "s.yaml: step 1 'one': restart: there is no node 'n9'");
    }

    @Test
    void whatThisBuildLacksIsRefusedByName() throws IOException {
        refused(
                "  steps:\n"
                        + "  - name: one\n"
                        + "    apply:\n"
                        + "    - {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner:"
                        + " kubernetes.io/nfs}\n",
                "s.yaml: step 1 'one': apply[0].provisioner: provisioning by 'kubernetes.io/nfs': not supported yet");
    }

    @Test
    void duplicateKey() throws IOException {
        refused(
                "  steps:\n  - name: one\n    name: two\n",
                "s.yaml: step 1 'one': line 7, column 5: must not have the key \"name\" twice");
        refused(
                "  steps:\n  - {name: one}\n  - name: two\n    apply:\n    - {kind: Pod, kind: Pod}\n  - name: three\n",
                "s.yaml: step 2 'two': line 9, column 19: must not have the key \"kind\" twice");
        refused(
                "  seed: 1\n  seed: 2\n  steps: []\n",
                "s.yaml: line 6, column 3: must not have the key \"seed\" twice");
    }

    @Test
    void noYamlAtAll() throws IOException {
        assertThat(play("{{{{")).startsWith("s.yaml: ");
        assertThat(play("")).startsWith("s.yaml: ");
        assertThat(play("a: b\n---\nc: d\n")).startsWith("s.yaml: ");
        assertThat(play("- a\n- b\n")).startsWith("s.yaml: ");
    }

    @Test
    void tenMegabytesOfNesting() throws IOException {
        assertThat(play("[".repeat(10 << 20))).startsWith("s.yaml: ");
        assertThat(play(HEAD + "  steps: " + "[".repeat(5 << 20) + "]".repeat(5 << 20)))
                .startsWith("s.yaml: ");
        assertThat(play(HEAD + "  steps: " + "{a: ".repeat(100_000) + "1" + "}".repeat(100_000)))
                .startsWith("s.yaml: ");
    }

    @Test
    void aFileThatIsNotThere() {
        PlayResult result = Player.play(folder.resolve("nowhere.yaml"), PlayOptions.DEFAULT);
        assertThat(result.exitStatus()).isEqualTo(PlayResult.MALFORMED);
        assertThat(result.error()).contains("nowhere.yaml");
    }

    @Test
    void anIncludedFileIsNamed() throws IOException {
        Files.writeString(folder.resolve("more.yaml"), "apiVersion: v1\nkind: Pod\nmetadata: {}\n");
        refused(
                "  include: [more.yaml]\n  steps: []\n",
                "s.yaml: spec.include[0]: more.yaml: metadata.name: is missing");
        refused(
                "  include: [nowhere.yaml]\n  steps: []\n",
                "s.yaml: spec.include[0]: nowhere.yaml: there is no such file");
    }

    private void refused(String spec, String message) throws IOException {
        assertThat(error(spec)).isEqualTo(message);
    }

    private String error(String spec) throws IOException {
        return play(HEAD + spec);
    }

    private String play(String content) throws IOException {
        Path file = folder.resolve("s.yaml");
        Files.writeString(file, content);
        PlayResult result = Player.play(file, PlayOptions.DEFAULT);
        assertThat(result.exitStatus()).as(result.output()).isEqualTo(PlayResult.MALFORMED);
        assertThat(result.output()).isEmpty();
        assertThat(result.error()).doesNotContain("\n").hasSizeLessThan(1000);
        return result.error().replace(folder + "/", "");
    }
}
