// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.volumemanager.content.ContentPart.Fields;
import dev.mooring.volumemanager.content.ContentPart.Item;
import dev.mooring.volumemanager.content.ContentPart.Keys;
import dev.mooring.volumemanager.content.ContentPart.Resource;
import dev.mooring.volumemanager.content.ContentPart.Token;
import dev.mooring.volumemanager.downward.DownwardFields;
import dev.mooring.volumemanager.downward.ResourceField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a source asks to be shown, read from its document (semantics/plugins §1.9). Pure.
 *
 * @param parts the sources in their order
 * @param problem the first thing that is wrong with the document, as {@code field: rule}; empty if nothing is
 */
record ContentPlan(List<ContentPart> parts, Optional<String> problem) {
    static final String CONFIG_MAP = "configMap";
    static final String SECRET = "secret";
    static final String DOWNWARD_API = "downwardAPI";
    static final String PROJECTED = "projected";

    private static final int DEFAULT_MODE = 0644;
    private static final long DEFAULT_EXPIRATION = 3600;
    private static final long LEAST_EXPIRATION = 600;
    private static final long MOST_EXPIRATION = 1L << 32;

    /** Copies the list. */
    ContentPlan {
        parts = List.copyOf(parts);
    }

    /** Reads a source of one of the four types. */
    static ContentPlan of(VolumeSource source) {
        Reader reader = new Reader(source.attributes());
        List<ContentPart> parts = source.type().equals(PROJECTED)
                ? reader.projected()
                : reader.single(source.type(), source.attributes());
        return new ContentPlan(parts, Optional.ofNullable(reader.problems.isEmpty() ? null : reader.problems.get(0)));
    }

    private static final class Reader {
        private final List<String> problems = new ArrayList<>();
        private final Document whole;
        private final int defaultMode;

        Reader(Document source) {
            this.whole = source;
            this.defaultMode = mode(source, "defaultMode", DEFAULT_MODE);
        }

        List<ContentPart> single(String type, Document source) {
            return switch (type) {
                case CONFIG_MAP -> List.of(keys(false, source, "name", "items"));
                case SECRET -> List.of(keys(true, source, "secretName", "items"));
                case DOWNWARD_API -> List.of(fields(source, "items"));
                default -> {
                    problems.add(type + ": not a source of files");
                    yield List.of();
                }
            };
        }

        List<ContentPart> projected() {
            List<ContentPart> parts = new ArrayList<>();
            for (Document entry : list(whole, "sources")) {
                if (entry.asMap().size() != 1) {
                    problems.add("sources: each entry has exactly one kind of source");
                    continue;
                }
                String type = entry.asMap().keySet().iterator().next();
                Document source = entry.object(type).orElse(Document.empty());
                switch (type) {
                    case CONFIG_MAP -> parts.add(keys(false, source, "name", "sources.configMap.items"));
                    case SECRET -> parts.add(keys(true, source, "name", "sources.secret.items"));
                    case DOWNWARD_API -> parts.add(fields(source, "sources.downwardAPI.items"));
                    case "serviceAccountToken" -> parts.add(token(source));
                    default -> problems.add("sources: " + type + " is not supported on this node");
                }
            }
            return parts;
        }

        private Keys keys(boolean secret, Document source, String nameField, String field) {
            String name = source.text(nameField).orElse("");
            boolean optional =
                    source.at("optional").filter(Boolean.TRUE::equals).isPresent();
            if (name.isEmpty() && !optional) {
                problems.add(nameField + ": must not be empty");
            }
            List<Item> items = new ArrayList<>();
            for (Document item : list(source, "items")) {
                items.add(item(item, item.text("key").orElse(""), field));
            }
            return new Keys(secret, name, List.copyOf(items), defaultMode, optional);
        }

        private Fields fields(Document source, String field) {
            List<Item> items = new ArrayList<>();
            List<Resource> resources = new ArrayList<>();
            for (Document item : list(source, "items")) {
                Optional<String> path = item.text("fieldRef", "fieldPath");
                Optional<Document> resource = item.object("resourceFieldRef");
                if (path.isPresent() && resource.isPresent()) {
                    problems.add(field + ": only one of fieldRef and resourceFieldRef");
                } else if (resource.isPresent()) {
                    resources.add(resource(item, resource.get(), field));
                } else if (path.isEmpty()) {
                    problems.add(field + ".fieldRef: a field is required");
                } else {
                    path.filter(known -> !DownwardFields.isKnown(known))
                            .ifPresent(unknown -> problems.add(
                                    field + ".fieldRef.fieldPath: '" + unknown + "' cannot be shown in a volume"));
                    items.add(item(item, path.get(), field));
                }
            }
            return new Fields(List.copyOf(items), List.copyOf(resources));
        }

        private Resource resource(Document item, Document ref, String field) {
            ResourceField found = ResourceField.of(ref);
            if (found.container().isEmpty()) {
                problems.add(field + ".resourceFieldRef.containerName: must not be empty");
            }
            ResourceField.problem(ref).ifPresent(problem -> problems.add(field + ".resourceFieldRef." + problem));
            Item file = item(item, found.resource(), field);
            return new Resource(found, file.path(), file.mode());
        }

        private Item item(Document item, String key, String field) {
            String path = item.text("path").orElse("");
            if (key.isEmpty()) {
                problems.add(field + ".key: must not be empty");
            }
            ContentPaths.problem(path).ifPresent(problem -> problems.add(field + ".path: " + problem));
            return new Item(key, path, mode(item, "mode", defaultMode));
        }

        private Token token(Document source) {
            String path = source.text("path").orElse("");
            ContentPaths.problem(path).ifPresent(p -> problems.add("sources.serviceAccountToken.path: " + p));
            long expiration = number(source, "expirationSeconds").orElse(DEFAULT_EXPIRATION);
            if (expiration < LEAST_EXPIRATION) {
                problems.add("sources.serviceAccountToken.expirationSeconds: must be at least " + LEAST_EXPIRATION);
            } else if (expiration > MOST_EXPIRATION) {
                problems.add("sources.serviceAccountToken.expirationSeconds: must be at most " + MOST_EXPIRATION);
            }
            Optional<String> audience = source.text("audience").filter(text -> !text.isEmpty());
            return new Token(audience, expiration, path, defaultMode);
        }

        private int mode(Document source, String field, int absent) {
            long mode = number(source, field).orElse((long) absent);
            if (mode < 0 || mode > 0777) {
                problems.add(field + ": must be a number from 0 to 0777");
                return absent;
            }
            return (int) mode;
        }

        private static Optional<Long> number(Document source, String field) {
            return source.at(field).filter(Long.class::isInstance).map(Long.class::cast);
        }

        @SuppressWarnings("unchecked") // maps in a document have text keys
        private static List<Document> list(Document source, String field) {
            Object value = source.at(field).orElse(List.of());
            return value instanceof List<?> list
                    ? list.stream()
                            .filter(Map.class::isInstance)
                            .map(map -> Document.of((Map<String, ?>) map))
                            .toList()
                    : List.of();
        }
    }
}
