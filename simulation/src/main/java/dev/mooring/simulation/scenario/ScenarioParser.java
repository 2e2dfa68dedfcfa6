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
        Node scenario(Path file, Place place);

        /** The documents of a file of manifests. */
        List<Node> manifests(Path file, Place place);
    }

    /** Reads a scenario and what it includes. */
    Scenario parse(Path file, Place place) {
        Node root = files.scenario(file, place).onlyKeys("apiVersion", "kind", "metadata", "spec");
        expect(root.get("apiVersion"), API_VERSION);
        expect(root.get("kind"), KIND);
        Node metadata = root.get("metadata").onlyKeys("name", "labels", "annotations");
        metadata.find("labels").ifPresent(Node::map);
        metadata.find("annotations").ifPresent(Node::map);
        String name = metadata.get("name").text();
        Node spec = root.get("spec")
                .onlyKeys("seed", "controllers", "include", "drivers", "attachers", "invariants", "lenient", "steps");
        return new Scenario(
                place,
                name,
                spec.find("seed").map(seed -> seed.integer(Long.MIN_VALUE)).orElse(0L),
                Supported.controllers(spec.find("controllers")),
                included(spec, file),
                spec.find("drivers").map(ScenarioParser::texts).orElse(List.of()),
                new TreeSet<>(spec.find("attachers").map(ScenarioParser::texts).orElse(List.of())),
                spec.find("invariants").map(Node::bool).orElse(false),
                spec.find("lenient").map(Node::bool).orElse(false),
                steps(spec.get("steps")));
    }

    private static void expect(Node node, String wanted) {
        if (!node.text().equals(wanted)) {
            throw node.wrong("must be " + wanted + ", not '" + node.text() + "'");
        }
    }

    private List<Manifest> included(Node spec, Path file) {
        List<Manifest> manifests = new ArrayList<>();
        for (Node include : spec.find("include").map(Node::list).orElse(List.of())) {
            String relative = include.text();
            Place place = Place.of(include.place() + ": " + relative);
            for (Node document : files.manifests(file.resolveSibling(relative), place)) {
                manifests.add(objects.manifest(document));
            }
        }
        return manifests;
    }

    private static List<String> texts(Node list) {
        return list.list().stream().map(Node::text).toList();
    }

    private List<Step> steps(Node list) {
        StepParser parser = new StepParser(objects);
        List<Step> steps = new ArrayList<>();
        for (Node element : list.list()) {
            steps.add(parser.parse(element, steps.size()));
        }
        return steps;
    }
}
