// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A failing world as a scenario file that {@code mooring play} plays and that fails there in the same way, unless it fails only beside
 * the same world without faults ({@link Twin}): then the file says so.
 */
final class ScenarioText {
    private ScenarioText() {}

    /**
     * Writes a scenario.
     *
     * @param report the world, of which acts and seed are written
     * @param options what the world was made of
     */
    static String write(WorldReport report, WorldOptions options) {
        List<Object> steps = new ArrayList<>();
        report.acts().forEach(act -> steps.add(act.named().asMap()));
        String name = "seed-" + report.seed() + "-"
                + report.rules().stream().findFirst().orElse("good").toLowerCase(Locale.ROOT);
        Document scenario = Document.of(Texts.map(
                "apiVersion",
                "mooring.dev/v1alpha1",
                "kind",
                "Scenario",
                "metadata",
                Texts.map("name", name),
                "spec",
                Texts.map(
                        "seed",
                        report.seed(),
                        "controllers",
                        List.copyOf(options.controllers()),
                        "drivers",
                        List.of(Texts.DRIVER),
                        "attachers",
                        List.of(Texts.FAR),
                        "invariants",
                        true,
                        "lenient",
                        true,
                        "steps",
                        steps)));
        StringBuilder text = new StringBuilder();
        report.violations().stream()
                .limit(5)
                .forEach(line ->
                        text.append("# ").append(line.replaceAll("\\s+", " ")).append('\n'));
        if (Twin.isOne(report.acts())) {
            text.append("# Compared with the same steps without their faults; played alone it need not fail.\n");
        }
        return text.append(KubernetesYaml.standard().write(scenario)).toString();
    }
}
