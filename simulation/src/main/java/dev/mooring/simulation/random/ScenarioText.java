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
    private static final int MOST_VIOLATIONS = 5;

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
        return head(report, options) + KubernetesYaml.standard().write(scenario);
    }

    /** What is wrong, what happened last before it was, and how the whole world is played again, in comments. */
    private static String head(WorldReport report, WorldOptions options) {
        List<String> lines = new ArrayList<>();
        report.violations().stream().limit(MOST_VIOLATIONS).forEach(lines::add);
        int more = report.violations().size() - MOST_VIOLATIONS;
        if (more > 0) {
            lines.add("and " + more + " more");
        }
        if (Twin.isOne(report.acts())) {
            lines.add("Compared with the same steps without their faults; played alone it need not fail.");
        }
        if (!report.lastEvents().isEmpty()) {
            lines.add("What happened last before the first of these, in virtual time:");
            report.lastEvents().forEach(event -> lines.add("  " + event));
        }
        // A program that adds rules or acts has a command of its own.
        if (options.equals(WorldOptions.DEFAULT)) {
            lines.add("The whole world from which these steps are left: " + command(report));
        }
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append("# ")
                .append(line.replaceAll("\\R", " ").stripTrailing())
                .append('\n'));
        return text.toString();
    }

    private static String command(WorldReport report) {
        return "./mooring simulate --first " + report.seed() + " --seeds 1";
    }
}
