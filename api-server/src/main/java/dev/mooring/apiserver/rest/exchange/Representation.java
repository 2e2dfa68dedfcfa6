// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How objects are shown.
 *
 * @param form whole, as rows, or their metadata only
 * @param version of the group meta.k8s.io; {@code v1} unless the client wants an older one
 * @param encoding how it is written
 */
public record Representation(Form form, String version, Encoding encoding) {
    public enum Form {
        OBJECT,
        TABLE,
        METADATA
    }

    public enum Encoding {
        JSON,
        YAML,
        PROTOBUF
    }

    private static final Set<String> METADATA = Set.of("PartialObjectMetadata", "PartialObjectMetadataList");
    private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
    private static final Set<String> JSON_RANGES = Set.of(Answer.JSON_TYPE, "application/*", "*/*");

    /**
     * Chooses what the client likes best.
     *
     * @param accept the header; empty for anything
     * @param hasMessages whether whole objects can be written in protocol buffers; metadata always can, rows never
     */
    public static Representation of(String accept, boolean hasMessages) {
        if (accept.isBlank()) {
            return new Representation(Form.OBJECT, "v1", Encoding.JSON);
        }
        for (Map<String, String> each : parse(accept)) {
            Optional<Encoding> encoding = encoding(each.getOrDefault("", ""));
            if (encoding.isEmpty()) {
                continue;
            }
            boolean isProtobuf = encoding.get() == Encoding.PROTOBUF;
            String as = each.getOrDefault("as", "");
            boolean meta = each.getOrDefault("g", "").equals("meta.k8s.io");
            String version = each.getOrDefault("v", "v1");
            if (as.isEmpty() && (hasMessages || !isProtobuf)) {
                return new Representation(Form.OBJECT, "v1", encoding.get());
            } else if (meta && as.equals("Table") && VERSIONS.contains(version) && !isProtobuf) {
                return new Representation(Form.TABLE, version, encoding.get());
            } else if (meta && METADATA.contains(as) && VERSIONS.contains(version)) {
                return new Representation(Form.METADATA, version, encoding.get());
            }
        }
        throw notAcceptable(
                Answer.JSON_TYPE + ", " + Answer.YAML_TYPE + (hasMessages ? ", " + ProtobufObjects.TYPE : ""));
    }

    private static Optional<Encoding> encoding(String type) {
        return switch (type) {
            case Answer.YAML_TYPE -> Optional.of(Encoding.YAML);
            case ProtobufObjects.TYPE -> Optional.of(Encoding.PROTOBUF);
            default -> JSON_RANGES.contains(type) ? Optional.of(Encoding.JSON) : Optional.empty();
        };
    }

    /** How a client that can be served wants what is answered; also what went wrong. */
    static Encoding encodingOf(String accept, boolean hasMessages) {
        try {
            return of(accept, hasMessages).encoding();
        } catch (RestFailure e) {
            return Encoding.JSON;
        }
    }

    /** Refuses a watch in YAML, whose documents do not follow each other as lines do. */
    public void requireOfWatch() {
        if (encoding == Encoding.YAML) {
            throw notAcceptable(Answer.JSON_TYPE + ";stream=watch, " + ProtobufObjects.TYPE + ";stream=watch");
        }
    }

    private static RestFailure notAcceptable(String types) {
        return RestFailure.of(406, "NotAcceptable", "only the following media types are accepted: " + types);
    }

    /** The media ranges of a header, the most wanted first, each with its parameters; the type itself has the empty key. */
    public static List<Map<String, String>> parse(String accept) {
        List<Map<String, String>> ranges = new ArrayList<>();
        for (String range : accept.split(",", -1)) {
            Map<String, String> parts = new HashMap<>();
            String[] pieces = range.split(";", -1);
            parts.put("", pieces[0].strip().toLowerCase(Locale.ROOT));
            for (int i = 1; i < pieces.length; i++) {
                int equals = pieces[i].indexOf('=');
                if (equals > 0) {
                    parts.put(
                            pieces[i].substring(0, equals).strip(),
                            pieces[i].substring(equals + 1).strip());
                }
            }
            ranges.add(parts);
        }
        ranges.removeIf(each -> weight(each) == 0);
        ranges.sort(Comparator.comparingDouble(Representation::weight)
                .reversed()); // those of one weight stay in their order
        return ranges;
    }

    /** How much a range is wanted; what is malformed says nothing. */
    private static double weight(Map<String, String> range) {
        String told = range.getOrDefault("q", "1");
        return told.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(told) : 1;
    }
}
