// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What volumes, claims and pods show, without what no two servers agree on.
 *
 * @param values each value that is no mapping by its path, such as {@code pvc/c1.status.phase}
 */
record StoryState(Map<String, String> values) {
    private static final Set<String> OF_THE_SERVER =
            Set.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "selfLink", "generation");
    private static final Set<String> TIMES = Set.of("lastTransitionTime", "lastProbeTime", "lastPhaseTransitionTime");
    private static final String KEPT_OF_PODS = "metadata";

    static StoryState of(List<Map<?, ?>> objects) {
        Map<String, String> values = new TreeMap<>();
        for (Map<?, ?> object : objects) {
            Map<?, ?> metadata = (Map<?, ?>) object.get("metadata");
            String path = object.get("kind") + "/" + metadata.get("name");
            boolean pod = object.get("kind").equals("pod");
            object.forEach((key, value) -> {
                if (!key.equals("kind") && !key.equals("apiVersion") && (!pod || key.equals(KEPT_OF_PODS))) {
                    flatten(path + "." + key, key.toString(), value, values);
                }
            });
        }
        return new StoryState(values);
    }

    private static void flatten(String path, String name, Object value, Map<String, String> into) {
        if (path.endsWith(".metadata.deletionTimestamp")) {
            into.put(path, "set");
        } else if (value instanceof Map<?, ?> map && map.isEmpty() && name.equals("claimRef")) {
            into.put(path, "names no claim");
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                // The uid of a claimRef is a name that both sides share.
                boolean reference = path.endsWith(".claimRef") && key.equals("uid");
                if (reference || !OF_THE_SERVER.contains(key.toString())) {
                    flatten(path + "." + key, key.toString(), each, into);
                }
            });
        } else if (value instanceof List<?> list && name.equals("conditions")) {
            for (Object each : list) {
                Map<Object, Object> condition = new LinkedHashMap<>((Map<?, ?>) each);
                condition.keySet().removeIf(key -> TIMES.contains(key.toString()));
                into.put(path + "." + condition.remove("type"), new TreeMap<>(condition).toString());
            }
        } else if (value instanceof List<?> list) {
            into.put(path, list.stream().map(String::valueOf).sorted().collect(Collectors.joining(",")));
        } else if (!TIMES.contains(name)) {
            into.put(path, String.valueOf(value));
        }
    }

    Optional<String> at(String path) {
        return Optional.ofNullable(values.get(path));
    }

    /** Whether there is an object, such as {@code pv/v1}. */
    boolean has(String object) {
        return values.containsKey(object + ".metadata.name");
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(entry -> "    " + entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining("\n"));
    }
}
