// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The state of an object of any kind, from its status alone. Pure functions. */
final class ObjectStates {
    private static final int MOST_EVENTS = 5;
    private static final Map<Kind<?>, Set<String>> GOOD_PHASES = Map.of(
            Kinds.PERSISTENT_VOLUME_CLAIM, Set.of("Bound"),
            Kinds.PERSISTENT_VOLUME, Set.of("Bound", "Available"),
            Kinds.POD, Set.of("Running", "Succeeded"));

    private ObjectStates() {}

    /** Whether it is not in the state in which it rests. */
    static boolean waits(Kind<?> kind, Document object) {
        Set<String> good = GOOD_PHASES.get(kind);
        String phase = object.text("status", "phase").orElse("");
        return (good != null && !good.contains(phase))
                || object.at("metadata", "deletionTimestamp").isPresent()
                || (kind == Kinds.NODE && !isTrue(object, "Ready"));
    }

    private static boolean isTrue(Document object, String condition) {
        return conditions(object).stream()
                .anyMatch(each -> each.text("type").orElse("").equals(condition)
                        && each.text("status").orElse("").equals("True"));
    }

    private static List<Document> conditions(Document object) {
        return object.objects("status", "conditions");
    }

    /** Kind, name, phase, what it is deleted by, conditions that do not hold, and why containers wait. */
    static String text(Kind<?> kind, Document object) {
        StringBuilder text = new StringBuilder(kind.name()).append(' ');
        object.text("metadata", "namespace")
                .ifPresent(namespace -> text.append(namespace).append('/'));
        text.append(object.text("metadata", "name").orElse(""));
        object.text("status", "phase").ifPresent(phase -> text.append(" is ").append(phase));
        text.append('\n');
        object.text("metadata", "deletionTimestamp")
                .ifPresent(since -> text.append("  being deleted since ")
                        .append(since)
                        .append(object.at("metadata", "finalizers")
                                .map(finalizers -> ", finalizers " + finalizers)
                                .orElse(""))
                        .append('\n'));
        for (Document condition : conditions(object)) {
            if (!condition.text("status").orElse("").equals("True")) {
                text.append("  ")
                        .append(condition.text("type").orElse(""))
                        .append(" is ")
                        .append(condition.text("status").orElse(""))
                        .append(reason(condition))
                        .append('\n');
            }
        }
        for (Document container : object.objects("status", "containerStatuses")) {
            container
                    .object("state", "waiting")
                    .ifPresent(waiting -> text.append("  container ")
                            .append(container.text("name").orElse(""))
                            .append(" waits")
                            .append(reason(waiting))
                            .append('\n'));
        }
        return text.toString();
    }

    private static String reason(Document from) {
        Optional<String> reason = from.text("reason").filter(text -> !text.isEmpty());
        Optional<String> message = from.text("message").filter(text -> !text.isEmpty());
        return reason.map(text -> " (" + text + ")").orElse("")
                + message.map(text -> ": " + text).orElse("");
    }

    /** The last events of an object, the latest last. */
    static String events(List<Document> events) {
        List<Document> sorted = events.stream()
                .sorted(Comparator.comparing(
                        event -> event.text("lastTimestamp").orElse("")))
                .toList();
        StringBuilder text = new StringBuilder();
        sorted.subList(Math.max(0, sorted.size() - MOST_EVENTS), sorted.size())
                .forEach(event -> text.append("  event ")
                        .append(event.text("type").orElse(""))
                        .append(reason(event))
                        .append('\n'));
        return text.toString();
    }
}
