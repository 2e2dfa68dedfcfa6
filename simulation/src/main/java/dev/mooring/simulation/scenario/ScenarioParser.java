// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Reads scenario files strictly: whatever it does not know is refused with file, step and key. */
final class ScenarioParser {
    private static final String API_VERSION = "mooring.dev/v1alpha1";
    private static final String KIND = "Scenario";

    private final Files files;
    private final ObjectParser objects;

    /**
     * Makes a parser.
     *
     * @param files how files are read
     * @param objects how objects are read
     */
    ScenarioParser(Files files, ObjectParser objects) {
        this.files = files;
        this.objects = objects;
    }

    /** Where the parser finds the content of files; throws {@link MalformedScenario}. */
    interface Files {
        /** The one document of a scenario file. */
        ScenarioValue scenario(Path file, ScenarioPlace place);

        /** The documents of a file of manifests. */
        List<ScenarioValue> manifests(Path file, ScenarioPlace place);
    }

    /** Reads a scenario and what it includes. */
    Scenario parse(Path file, ScenarioPlace place) {
        ScenarioValue root = files.scenario(file, place).onlyKeys("apiVersion", "kind", "metadata", "spec");
        expect(root.get("apiVersion"), API_VERSION);
        expect(root.get("kind"), KIND);
        ScenarioValue metadata = root.get("metadata").onlyKeys("name", "labels", "annotations");
        metadata.find("labels").ifPresent(ScenarioValue::map);
        metadata.find("annotations").ifPresent(ScenarioValue::map);
        String name = metadata.get("name").text();
        ScenarioValue spec = root.get("spec")
                .onlyKeys("seed", "controllers", "include", "drivers", "attachers", "invariants", "lenient", "steps");
        return new Scenario(
                place,
                name,
                spec.find("seed").map(seed -> seed.integer(Long.MIN_VALUE)).orElse(0L),
                Supported.controllers(spec.find("controllers")),
                included(spec, file),
                spec.find("drivers").map(ScenarioParser::texts).orElse(List.of()),
                new TreeSet<>(spec.find("attachers").map(ScenarioParser::texts).orElse(List.of())),
                spec.find("invariants").map(ScenarioValue::bool).orElse(false),
                spec.find("lenient").map(ScenarioValue::bool).orElse(false),
                steps(spec.get("steps")));
    }

    private static void expect(ScenarioValue node, String wanted) {
        if (!node.text().equals(wanted)) {
            throw node.wrong("must be " + wanted + ", not '" + node.text() + "'");
        }
    }

    private List<Manifest> included(ScenarioValue spec, Path file) {
        List<Manifest> manifests = new ArrayList<>();
        for (ScenarioValue include :
                spec.find("include").map(ScenarioValue::list).orElse(List.of())) {
            String relative = include.text();
            ScenarioPlace place = ScenarioPlace.of(include.place() + ": " + relative);
            for (ScenarioValue document : files.manifests(file.resolveSibling(relative), place)) {
                manifests.add(objects.manifest(document));
            }
        }
        return manifests;
    }

    private static List<String> texts(ScenarioValue list) {
        return list.list().stream().map(ScenarioValue::text).toList();
    }

    private List<ScenarioStep> steps(ScenarioValue list) {
        StepParser parser = new StepParser(objects);
        List<ScenarioStep> steps = new ArrayList<>();
        for (ScenarioValue element : list.list()) {
            steps.add(parser.parse(element, steps.size()));
        }
        return steps;
    }
}
