// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import java.util.ArrayList;
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
 */
record Representation(Form form, String version) {
    enum Form {
        OBJECT,
        TABLE,
        METADATA
    }

    private static final Set<String> METADATA = Set.of("PartialObjectMetadata", "PartialObjectMetadataList");
    private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");
    private static final Representation WHOLE = new Representation(Form.OBJECT, "v1");

    /**
     * Chooses what the client likes best.
     *
     * @param accept the header; empty for anything
     */
    static Representation of(String accept) {
        if (accept.isBlank()) {
            return WHOLE;
        }
        for (Map<String, String> each : parse(accept)) {
            String type = each.getOrDefault("", "");
            if (!type.equals(Answer.JSON_TYPE) && !type.equals("*/*") && !type.equals("application/*")) {
                continue;
            }
            String as = each.getOrDefault("as", "");
            boolean meta = each.getOrDefault("g", "").equals("meta.k8s.io");
            String version = each.getOrDefault("v", "v1");
            if (as.isEmpty()) {
                return WHOLE;
            } else if (meta && as.equals("Table") && VERSIONS.contains(version)) {
                return new Representation(Form.TABLE, version);
            } else if (meta && METADATA.contains(as) && VERSIONS.contains(version)) {
                return new Representation(Form.METADATA, version);
            }
        }
        throw RestFailure.of(406, "NotAcceptable", "only the following media types are accepted: " + Answer.JSON_TYPE);
    }

    /** The media ranges of a header, each with its parameters; the type itself has the empty key. */
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
        return ranges;
    }
}
