// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.event;

import dev.mooring.clusterstore.validation.KindRules;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code events.k8s.io/v1} asks of an Event beyond what core {@code v1} does: it is new style, and nothing but its series changes
 * (Kubernetes' {@code ValidateEventCreate} and {@code ValidateEventUpdate}). Fields have the names of what is stored, as in Kubernetes'
 * messages. Pure.
 */
public final class EventViewRules implements KindRules {
    private static final List<String> TYPES = List.of("Normal", "Warning");
    private static final List<String> OLD_STYLE = List.of("firstTimestamp", "lastTimestamp", "count", "source");
    private static final List<String> FIXED = List.of(
            "involvedObject",
            "reason",
            "message",
            "source",
            "firstTimestamp",
            "lastTimestamp",
            "count",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingComponent",
            "reportingInstance");
    private static final long FEWEST = 2;

    /** For a new Event. */
    @Override
    public void state(Document event, Problems problems) {
        series(event, problems);
        time(event, problems, "eventTime");
        String type = event.text("type").orElse("");
        if (!TYPES.contains(type)) {
            problems.invalid("type", "", "has invalid value: " + type);
        }
        for (String field : OLD_STYLE) {
            if (value(event, field).isPresent()) {
                problems.invalid(field, "", "needs to be unset");
            }
        }
    }

    /** For an Event that was there: {@link #state} is not asked of it. */
    @Override
    public void change(Document before, Document after, Problems problems) {
        if (!value(before, "series").equals(value(after, "series"))) {
            series(after, problems);
        }
        FIXED.forEach(field -> problems.immutable(
                field.equals("reportingComponent") ? "reportingController" : field,
                value(before, field),
                value(after, field)));
    }

    private static void series(Document event, Problems problems) {
        if (value(event, "series").isEmpty()) {
            return;
        }
        boolean several = event.at("series", "count")
                .filter(count -> count instanceof Long number && number >= FEWEST)
                .isPresent();
        if (!several) {
            problems.invalid("series.count", "", "should be at least 2");
        }
        time(event, problems, "series", "lastObservedTime");
    }

    private static void time(Document event, Problems problems, String... path) {
        String field = String.join(".", path);
        Optional<Object> value = value(event, path);
        if (value.isEmpty()) {
            problems.required(field, "");
        } else if (!isTime(value.get())) {
            problems.invalid(field, value.get(), "must be a time such as 2006-01-02T15:04:05.000000Z");
        }
    }

    private static boolean isTime(Object value) {
        if (!(value instanceof String text)) {
            return false;
        }
        try {
            Instant unused = OffsetDateTime.parse(text).toInstant();
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** A field as Go's clients mean it: what is null, zero or empty is not set. */
    private static Optional<Object> value(Document event, String... path) {
        return event.at(path)
                .filter(value -> !(value instanceof JsonNull)
                        && !value.equals("")
                        && !value.equals(0L)
                        && !(value instanceof Map<?, ?> map && map.isEmpty()));
    }
}
