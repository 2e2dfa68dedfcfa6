// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.support;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what is shown to others. Where anything may stand, as in annotations, parameters and attributes, only what is known
 * to be harmless stays; what remains is searched for what looks like a secret. Pure.
 */
public final class Redaction {
    /** Stands where something was taken out. */
    public static final String REMOVED = "(removed)";

    /** Values of these are whatever people write into them. */
    private static final Set<String> OPEN_MAPS = Set.of(
            "parameters", "volumeAttributes", "attachmentMetadata", "options", "stringData", "data", "binaryData");

    private static final Set<String> HARMLESS_PARAMETERS = Set.of(
            "server", "share", "path", "pathPattern", "onDelete", "archiveOnDelete", "fsType", "root", "targetPortal");

    private static final List<String> HARMLESS_ANNOTATIONS = List.of(
            "pv.kubernetes.io/",
            "volume.kubernetes.io/",
            "volume.beta.kubernetes.io/",
            "volumes.kubernetes.io/",
            "storageclass.kubernetes.io/",
            "volumehealth.storage.kubernetes.io/",
            "mooring.dev/");

    private static final String REFERENCE = "csi.storage.k8s.io/";
    private static final Pattern SECRET_KEY = Pattern.compile(
            "(?i)(password|passwd|passphrase|token|credential|api-?key|access-?key|private-?key|auth-?key|client-?key)");
    /** Not one that names a Secret. */
    private static final Pattern SECRET = Pattern.compile("(?i)secret(?!-?(name|namespace|ref))");

    private static final Pattern USER_IN_URL = Pattern.compile("(?<=://)[^/\\s\"']+(?=@)");
    private static final Pattern NAMED = Pattern.compile(
            "(?i)((?:password|passwd|passphrase|\\bpass|secret|token|bearer|basic|authorization|credentials?|api-?key|access-?key)[\"']?\\s*[=:]\\s*[\"']?(?:(?:bearer|basic)\\s+)?)[^\\s\"',;&(]+");
    /** In quotation marks, which may stand in a text in such marks, a secret may have blanks; where none closes, the line is its end. */
    private static final Pattern QUOTED = Pattern.compile(
            "(?i)((?:password|passwd|passphrase|\\bpass|secret|token|bearer|basic|authorization|credentials?|api-?key|access-?key)\\\\*[\"']?\\s*[=:]\\s*(\\\\*[\"']))(?!\\\\*[\"'])[^\\r\\n]*?(?=(?<!\\\\)\\2|[\\r\\n]|\\z)");

    private static final Pattern BEARER = Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{6,}");
    private static final Pattern JWT = Pattern.compile("eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]+\\.?[A-Za-z0-9_-]*");
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN [^-]+-----.*?(-----END [^-]+-----|$)", Pattern.DOTALL);

    private Redaction() {}

    /** An object of the cluster as it may be shown. */
    public static Document of(Document object) {
        return Document.of(map(object.asMap()));
    }

    /** A text as it may be shown. */
    public static String of(String text) {
        String less = PEM.matcher(text).replaceAll(REMOVED);
        less = JWT.matcher(less).replaceAll(REMOVED);
        less = USER_IN_URL.matcher(less).replaceAll(REMOVED);
        less = QUOTED.matcher(less).replaceAll("$1" + REMOVED);
        less = NAMED.matcher(less).replaceAll("$1" + REMOVED);
        return BEARER.matcher(less).replaceAll("$1 " + REMOVED);
    }

    private static Map<String, Object> map(Map<?, ?> fields) {
        Map<String, Object> shown = new LinkedHashMap<>();
        fields.forEach((key, value) -> shown.put((String) key, value((String) key, value)));
        return shown;
    }

    private static Object value(String key, Object value) {
        if (value instanceof Map<?, ?> map) {
            if (key.equals("annotations")) {
                return filtered(map, Redaction::isHarmlessAnnotation);
            }
            return OPEN_MAPS.contains(key) ? filtered(map, Redaction::isHarmlessParameter) : map(map);
        }
        if (value instanceof List<?> list) {
            List<Object> shown = new ArrayList<>();
            list.forEach(each ->
                    shown.add(key.equals("env") && each instanceof Map<?, ?> set ? variable(set) : value(key, each)));
            return shown;
        }
        if (value instanceof String text) {
            return SECRET_KEY.matcher(key).find() ? REMOVED : of(text);
        }
        return value;
    }

    /** A variable of a container's environment is whatever people write into it; its name and where it comes from help. */
    private static Map<String, Object> variable(Map<?, ?> set) {
        Map<String, Object> shown = map(set);
        shown.computeIfPresent("value", (name, value) -> REMOVED);
        return shown;
    }

    private static Map<String, Object> filtered(Map<?, ?> map, Predicate<String> harmless) {
        Map<String, Object> shown = new LinkedHashMap<>();
        map.forEach((name, value) -> shown.put(
                (String) name, harmless.test((String) name) && value instanceof String text ? of(text) : REMOVED));
        return shown;
    }

    private static boolean isHarmlessAnnotation(String name) {
        return HARMLESS_ANNOTATIONS.stream().anyMatch(name::startsWith)
                && !SECRET_KEY.matcher(name).find()
                && !SECRET.matcher(name).find();
    }

    private static boolean isHarmlessParameter(String name) {
        return HARMLESS_PARAMETERS.contains(name) || name.startsWith(REFERENCE);
    }
}
