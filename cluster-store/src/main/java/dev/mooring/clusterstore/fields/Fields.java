// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fields;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads fields of documents without caring whether they are there. A field of another type than asked for counts as absent. */
public final class Fields {
    private Fields() {}

    /** Whether there is a value other than null at the path. */
    public static boolean isSet(Document document, String... path) {
        return document.at(path).filter(value -> value != JsonNull.NULL).isPresent();
    }

    /** The text at the path, or an empty one. */
    public static String text(Document document, String... path) {
        return document.text(path).orElse("");
    }

    /** The integer at the path. */
    public static Optional<Long> integer(Document document, String... path) {
        return document.at(path).filter(Long.class::isInstance).map(Long.class::cast);
    }

    /** Whether the value at the path is {@code true}. */
    public static boolean isTrue(Document document, String... path) {
        return document.at(path).filter(Boolean.TRUE::equals).isPresent();
    }

    /** The object at the path, or an empty one. */
    public static Document object(Document document, String... path) {
        return document.object(path).orElse(Document.empty());
    }

    /** The list at the path, or an empty one. */
    @SuppressWarnings("unchecked") // a list in a document is a list of objects
    public static List<Object> list(Document document, String... path) {
        return document.at(path)
                .filter(List.class::isInstance)
                .map(list -> (List<Object>) list)
                .orElse(List.of());
    }

    /** The texts of the list at the path. */
    public static List<String> texts(Document document, String... path) {
        return list(document, path).stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }

    /** The objects of the list at the path; an element that is no object counts as an empty one, so that indexes agree. */
    public static List<Document> objects(Document document, String... path) {
        return document.objects(path);
    }

    /** The texts of the object at the path, in its order. */
    public static Map<String, String> textMap(Document document, String... path) {
        Map<String, Object> members = object(document, path).asMap();
        if (members.values().stream().allMatch(String.class::isInstance)) {
            return asTexts(members);
        }
        Map<String, String> texts = new LinkedHashMap<>();
        members.forEach((key, value) -> {
            if (value instanceof String text) {
                texts.put(key, text);
            }
        });
        return texts;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // each of the values was seen to be a text
    private static Map<String, String> asTexts(Map<String, Object> members) {
        return (Map) members;
    }

    /** The selector of labels at the path, or an empty one. */
    public static LabelSelector labelSelector(Document document, String... path) {
        Document selector = object(document, path);
        List<LabelSelectorRequirement> requirements = objects(selector, "matchExpressions").stream()
                .map(each ->
                        new LabelSelectorRequirement(text(each, "key"), text(each, "operator"), texts(each, "values")))
                .toList();
        return new LabelSelector(textMap(selector, "matchLabels"), requirements);
    }

    /** A value as a document; empty if it is no object. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    public static Document asDocument(Object value) {
        return value instanceof Map<?, ?> map ? Document.of((Map<String, Object>) map) : Document.empty();
    }

    /** The time at the path. */
    public static Optional<Instant> time(Document document, String... path) {
        return document.text(path).flatMap(Fields::parseTime);
    }

    private static Optional<Instant> parseTime(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A time as documents have it: in UTC, cut to whole seconds. */
    public static String timeText(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The finalizers. */
    public static List<String> finalizers(Document document) {
        return texts(document, "metadata", "finalizers");
    }

    /** Whether its deletion was asked for. */
    public static boolean isDeleting(Document document) {
        return isSet(document, "metadata", "deletionTimestamp");
    }

    /** The name. */
    public static String name(Document document) {
        return text(document, "metadata", "name");
    }

    /** The namespace; empty if there is none. */
    public static String namespace(Document document) {
        return text(document, "metadata", "namespace");
    }

    /** The uid; empty if there is none. */
    public static String uid(Document document) {
        return text(document, "metadata", "uid");
    }

    /** The resourceVersion; empty if there is none. */
    public static String resourceVersion(Document document) {
        return text(document, "metadata", "resourceVersion");
    }

    /** The value of an annotation. */
    public static Optional<String> annotation(Document document, String key) {
        return document.text("metadata", "annotations", key);
    }
}
