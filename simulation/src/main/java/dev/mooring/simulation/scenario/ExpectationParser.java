// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.CallFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the list under {@code expect}. */
final class ExpectationParser {
    private static final List<String> REASONS =
            List.of("Invalid", "Forbidden", "Conflict", "NotFound", "AlreadyExists");
    private static final List<String> ACTS = List.of("apply", "patch", "delete");
    private static final List<String> SPECIAL =
            List.of("event", "noEvent", "call", "noCall", "writes", "reads", "refused");

    private final ObjectParser objects;

    ExpectationParser(ObjectParser objects) {
        this.objects = objects;
    }

    List<Expectation> parse(ScenarioValue list) {
        List<Expectation> expectations = new ArrayList<>();
        for (ScenarioValue node : list.list()) {
            expectations.add(one(node));
        }
        return expectations;
    }

    private Expectation one(ScenarioValue node) {
        for (String special : SPECIAL) {
            Optional<ScenarioValue> found = node.find(special);
            if (found.isPresent()) {
                node.onlyKeys(special);
                return special(special, found.get());
            }
        }
        return object(node);
    }

    private Expectation special(String word, ScenarioValue node) {
        return switch (word) {
            case "event" -> event(node, true);
            case "noEvent" -> event(node, false);
            case "call" -> call(node, true);
            case "noCall" -> call(node, false);
            case "writes" -> new WritesExpected(node.place(), node.integer(0));
            case "reads" -> new ReadsExpected(node.place(), node.integer(0));
            default -> refused(node);
        };
    }

    private Expectation object(ScenarioValue node) {
        node.onlyKeys("kind", "namespace", "name", "matches", "absent");
        ObjectRef ref = objects.ref(node);
        Optional<ScenarioValue> absent = node.find("absent");
        Optional<ScenarioValue> matches = node.find("matches");
        if (absent.isPresent() == matches.isPresent()) {
            throw node.wrong("needs one of matches and absent, or one of " + String.join(", ", SPECIAL));
        }
        if (absent.isPresent()) {
            if (!absent.get().bool()) {
                throw absent.get().wrong("must be true; what exists is expected by matches");
            }
            return new ObjectAbsent(node.place(), ref);
        }
        return new ObjectExpected(node.place(), ref, matches.orElseThrow().document());
    }

    private Expectation event(ScenarioValue node, boolean wanted) {
        node.onlyKeys("kind", "namespace", "name", "type", "reason", "message");
        ObjectRef ref = objects.ref(node);
        Optional<ScenarioValue> type = wanted ? Optional.of(node.get("type")) : node.find("type");
        Optional<ScenarioValue> reason = wanted ? Optional.of(node.get("reason")) : node.find("reason");
        return new EventExpected(
                node.place(),
                ref,
                type.map(word -> word.oneOf(List.of("Normal", "Warning"))).orElse(""),
                reason.map(ScenarioValue::text).orElse(""),
                node.optionalText("message"),
                wanted);
    }

    private Expectation call(ScenarioValue node, boolean wanted) {
        node.onlyKeys(
                wanted
                        ? new String[] {"plugin", "operation", "volume", "node", "times"}
                        : new String[] {"plugin", "operation", "volume", "node"});
        String operation = node.get("operation").oneOf(CallFault.OPERATIONS);
        return new CallExpected(
                node.place(),
                node.get("plugin").text(),
                operation,
                node.optionalText("volume"),
                node.optionalText("node"),
                node.find("times").map(times -> times.integer(0)),
                wanted);
    }

    private Expectation refused(ScenarioValue node) {
        node.onlyKeys("verb", "kind", "namespace", "name", "reason", "message");
        return new RefusedExpected(
                node.place(),
                node.get("verb").oneOf(ACTS),
                objects.ref(node),
                node.get("reason").oneOf(REASONS),
                node.optionalText("message"));
    }
}
