// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How objects are shown.
 *
 * @param form whole, as rows, or their metadata only
 * @param version of the group meta.k8s.io; {@code v1} unless the client wants an older one
 * @param yaml written in YAML instead of JSON
 */
record Representation(Form form, String version, boolean yaml) {
    enum Form {
        OBJECT,
        TABLE,
        METADATA
    }

    private static final Set<String> METADATA = Set.of("PartialObjectMetadata", "PartialObjectMetadataList");
    private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
    private static final Set<String> JSON_RANGES = Set.of(Answer.JSON_TYPE, "application/*", "*/*");

    /**
     * Chooses what the client likes best.
     *
     * @param accept the header; empty for anything
     */
    static Representation of(String accept) {
        if (accept.isBlank()) {
            return new Representation(Form.OBJECT, "v1", false);
        }
        for (Map<String, String> each : parse(accept)) {
            String type = each.getOrDefault("", "");
            boolean yaml = type.equals(Answer.YAML_TYPE);
            if (!yaml && !JSON_RANGES.contains(type)) {
                continue;
            }
            String as = each.getOrDefault("as", "");
            boolean meta = each.getOrDefault("g", "").equals("meta.k8s.io");
            String version = each.getOrDefault("v", "v1");
            if (as.isEmpty()) {
                return new Representation(Form.OBJECT, "v1", yaml);
            } else if (meta && as.equals("Table") && VERSIONS.contains(version)) {
                return new Representation(Form.TABLE, version, yaml);
            } else if (meta && METADATA.contains(as) && VERSIONS.contains(version)) {
                return new Representation(Form.METADATA, version, yaml);
            }
        }
        throw notAcceptable(Answer.JSON_TYPE + ", " + Answer.YAML_TYPE);
    }

    /** Whether a client that can be served wants YAML; also of what went wrong. */
    static boolean wantsYaml(String accept) {
        try {
            return of(accept).yaml();
        } catch (RestFailure e) {
            return false;
        }
    }

    /** Refuses a watch in YAML, whose documents do not follow each other as lines do. */
    static void requireOfWatch(String accept) {
        if (of(accept).yaml()) {
            throw notAcceptable(Answer.JSON_TYPE + ";stream=watch");
        }
    }

    private static RestFailure notAcceptable(String types) {
        return RestFailure.of(406, "NotAcceptable", "only the following media types are accepted: " + types);
    }

    /** The media ranges of a header, the most wanted first, each with its parameters; the type itself has the empty key. */
    static List<Map<String, String>> parse(String accept) {
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
