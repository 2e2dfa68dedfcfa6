// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.virtual.Durations;
import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Reads the steps of a scenario. */
final class StepParser {
    private static final Set<String> KEYS = new LinkedHashSet<>();

    static {
        KEYS.add("name");
        KEYS.addAll(Verb.words());
    }

    private final ObjectParser objects;
    private final FaultParser faults;
    private final ExpectationParser expectations;

    StepParser(ObjectParser objects) {
        this.objects = objects;
        this.faults = new FaultParser(objects);
        this.expectations = new ExpectationParser(objects);
    }

    /**
     * Reads one step.
     *
     * @param element the step, at its place in the file
     * @param index its position, from 0
     */
    ScenarioStep parse(ScenarioValue element, int index) {
        String number = Integer.toString(index + 1);
        ScenarioValue node = inStep(element, number);
        Object name = node.map().get("name");
        if (name instanceof String text && !text.isEmpty()) {
            node = inStep(element, number + " '" + ScenarioValue.shortened(text) + "'");
        }
        checkVerbs(node);
        return step(node, node.get("name").text());
    }

    private static ScenarioValue inStep(ScenarioValue element, String name) {
        return new ScenarioValue(element.place().inStep(name), element.value());
    }

    private static void checkVerbs(ScenarioValue node) {
        for (String key : node.map().keySet()) {
            if (!KEYS.contains(key)) {
                throw new MalformedScenario(
                        node.place().at(key), "unknown verb; known: " + String.join(", ", Verb.words()));
            }
        }
    }

    private ScenarioStep step(ScenarioValue node, String name) {
        return new ScenarioStep(
                node.place(),
                name,
                node.find(Verb.LOAD.word()).map(objects::manifests).orElse(List.of()),
                node.find(Verb.APPLY.word()).map(objects::manifests).orElse(List.of()),
                node.find(Verb.PATCH.word()).map(this::patches).orElse(List.of()),
                node.find(Verb.DELETE.word()).map(this::removals).orElse(List.of()),
                node.find(Verb.FAULT.word()).map(faults::parse).orElse(List.of()),
                node.find(Verb.STOP.word()).map(ProcessName::parse),
                node.find(Verb.RESTART.word()).map(ProcessName::parse),
                node.find(Verb.HANDOVER.word()).map(ScenarioValue::bool).orElse(false),
                node.find(Verb.PAUSE.word()).map(ScenarioValue::duration),
                node.find(Verb.CLOCK.word()).map(StepParser::jump),
                node.find(Verb.WATCH.word()).map(this::watches).orElse(List.of()),
                node.find(Verb.WORK.word())
                        .map(number -> OptionalInt.of((int) Math.min(number.integer(0), Integer.MAX_VALUE)))
                        .orElse(OptionalInt.empty()),
                node.find(Verb.ADVANCE.word()).map(ScenarioValue::duration),
                node.find(Verb.CALM.word()).map(ScenarioValue::duration),
                node.find(Verb.SETTLE.word()).map(ScenarioValue::bool).orElse(true),
                node.find(Verb.EXPECT.word()).map(expectations::parse).orElse(List.of()));
    }

    /** A duration with a sign before it. */
    private static Duration jump(ScenarioValue node) {
        String text = node.text();
        boolean back = text.startsWith("-");
        Duration size = Durations.parse(back || text.startsWith("+") ? text.substring(1) : text)
                .orElseThrow(() -> node.wrong(
                        "must be a duration such as +1h or -5m, not '" + ScenarioValue.shortened(text) + "'"));
        return back ? size.negated() : size;
    }

    private List<WatchFault> watches(ScenarioValue list) {
        return list.list().stream().map(this::watch).toList();
    }

    private WatchFault watch(ScenarioValue node) {
        node.onlyKeys("process", "kind", "outcome", "changes");
        List<WatchFault.Outcome> outcomes = List.of(WatchFault.Outcome.values());
        List<String> words = outcomes.stream().map(WatchFault.Outcome::word).toList();
        String word = node.get("outcome").oneOf(words);
        return new WatchFault(
                ProcessName.parse(node.get("process")),
                node.has("kind") ? objects.kind(node).name() : "",
                outcomes.get(words.indexOf(word)),
                node.find("changes")
                        .map(changes -> (int) Math.min(changes.integer(1), 1_000_000))
                        .orElse(1));
    }

    private List<Patch> patches(ScenarioValue list) {
        return list.list().stream().map(this::patch).toList();
    }

    private Patch patch(ScenarioValue node) {
        node.onlyKeys("kind", "namespace", "name", "subresource", "merge");
        boolean status = node.find("subresource")
                .map(sub -> sub.oneOf(List.of("status")))
                .isPresent();
        Document merge = node.get("merge").document();
        return new Patch(node.place(), objects.ref(node), status, merge);
    }

    private List<Removal> removals(ScenarioValue list) {
        return list.list().stream().map(this::removal).toList();
    }

    private Removal removal(ScenarioValue node) {
        node.onlyKeys("kind", "namespace", "name", "force");
        boolean force = node.find("force").map(ScenarioValue::bool).orElse(false);
        ObjectRef ref = objects.ref(node);
        if (force && !ref.kind().name().equals("Pod")) {
            throw node.get("force").wrong("is for pods only");
        }
        return new Removal(node.place(), ref, force);
    }
}
