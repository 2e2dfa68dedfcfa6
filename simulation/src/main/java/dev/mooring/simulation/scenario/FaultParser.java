// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.WriteFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads the list under {@code fault}. */
final class FaultParser {
    private final ObjectParser objects;

    FaultParser(ObjectParser objects) {
        this.objects = objects;
    }

    List<Fault> parse(ScenarioValue list) {
        List<Fault> faults = new ArrayList<>();
        for (ScenarioValue node : list.list()) {
            if (node.has("plugin") == node.has("store")) {
                throw node.wrong("needs one of plugin and store");
            }
            faults.add(node.has("plugin") ? call(node) : write(node));
        }
        return faults;
    }

    private static Fault call(ScenarioValue node) {
        node.onlyKeys("plugin", "operation", "node", "outcome", "message", "times");
        return new Fault.OfCall(new CallFault(
                node.get("plugin").text(),
                node.get("operation").oneOf(CallFault.OPERATIONS),
                node.optionalText("node"),
                word(node.get("outcome"), CallFault.Outcome.values(), CallFault.Outcome::word),
                node.optionalText("message"),
                node.find("times").map(FaultParser::times).orElse(1L)));
    }

    private static long times(ScenarioValue node) {
        if (node.value() instanceof String text) {
            if (text.equals("always")) {
                return CallFault.ALWAYS;
            }
            throw node.wrong("must be a whole number or always, not '" + text + "'");
        }
        return node.integer(1);
    }

    private Fault write(ScenarioValue node) {
        node.onlyKeys("store", "kind", "subresource", "outcome", "nth");
        return new Fault.OfWrite(new WriteFault(
                word(node.get("store"), WriteFault.Verb.values(), WriteFault.Verb::word),
                objects.kind(node).name(),
                node.find("subresource")
                        .map(sub -> sub.oneOf(List.of("status")))
                        .orElse(""),
                word(node.get("outcome"), WriteFault.Outcome.values(), WriteFault.Outcome::word),
                node.find("nth").map(nth -> nth.integer(1)).orElse(1L)));
    }

    private static <E> E word(ScenarioValue node, E[] values, Function<E, String> word) {
        Map<String, E> byWord = Arrays.stream(values)
                .collect(Collectors.toMap(word, Function.identity(), (a, b) -> a, LinkedHashMap::new));
        E value = byWord.get(node.oneOf(byWord.keySet()));
        if (value == null) {
            throw node.wrong("is not known");
        }
        return value;
    }
}
