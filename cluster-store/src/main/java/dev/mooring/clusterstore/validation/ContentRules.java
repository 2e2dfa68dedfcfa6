// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of volumes that show objects to a pod: configMap, secret, downwardAPI, projected (semantics/plugins §1.9). */
final class ContentRules {
    private static final List<String> PROJECTED = List.of(
            "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");
    private static final List<String> CERTIFICATE_FILES =
            List.of("credentialBundlePath", "keyPath", "certificateChainPath");

    private static final long LARGEST_MODE = 0777;
    private static final long SHORTEST_TOKEN_SECONDS = 600;
    private static final long LONGEST_TOKEN_SECONDS = 1L << 32;

    private ContentRules() {}

    static void check(String path, String type, Document source, Problems problems) {
        mode(path + ".defaultMode", source, "defaultMode", problems);
        switch (type) {
            case "configMap" -> problems.given(path + ".name", Fields.text(source, "name"));
            case "secret" -> problems.given(path + ".secretName", Fields.text(source, "secretName"));
            case "projected" -> projected(path, source, problems);
            default -> {
                // downwardAPI: what it shows is in its items.
            }
        }
        items(path, source, !type.equals("downwardAPI"), problems);
    }

    private static void projected(String path, Document source, Problems problems) {
        List<Document> sources = Fields.objects(source, "sources");
        Set<String> files = new HashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            String at = path + ".sources[" + i + "]";
            Document part = sources.get(i);
            part(at, part, problems);
            distinct(path, part, files, problems);
            if (PROJECTED.stream().filter(type -> Fields.isSet(part, type)).count() > 1) {
                problems.forbidden(at, "may not specify more than 1 volume type per source");
            }
        }
    }

    /** No two sources write one file. The API server names the object that comes second, or the file where there is no object. */
    private static void distinct(String path, Document part, Set<String> files, Problems problems) {
        for (String type : List.of("secret", "configMap", "downwardAPI")) {
            String object = Fields.text(part, type, "name");
            for (Document item : Fields.objects(part, type, "items")) {
                distinct(path, Fields.text(item, "path"), object, files, problems);
            }
        }
        distinct(path, Fields.text(part, "clusterTrustBundle", "path"), "", files, problems);
        for (String field : CERTIFICATE_FILES) {
            distinct(path, Fields.text(part, "podCertificate", field), "", files, problems);
        }
    }

    private static void distinct(String path, String file, String object, Set<String> files, Problems problems) {
        if (!file.isEmpty() && !files.add(file)) {
            problems.invalid(path, object.isEmpty() ? file : object, "conflicting duplicate paths");
        }
    }

    private static void part(String path, Document part, Problems problems) {
        for (String type : List.of("configMap", "secret")) {
            if (Fields.isSet(part, type)) {
                problems.given(path + "." + type + ".name", Fields.text(part, type, "name"));
                items(path + "." + type, Fields.object(part, type), true, problems);
            }
        }
        if (Fields.isSet(part, "downwardAPI")) {
            items(path + ".downwardAPI", Fields.object(part, "downwardAPI"), false, problems);
        }
        if (Fields.isSet(part, "serviceAccountToken")) {
            token(path + ".serviceAccountToken", Fields.object(part, "serviceAccountToken"), problems);
        }
    }

    private static void token(String path, Document token, Problems problems) {
        filePath(path + ".path", Fields.text(token, "path"), problems);
        tokenLife(path, token, problems);
    }

    /** How long a token may be good for: from ten minutes on. */
    static void tokenLife(String path, Document token, Problems problems) {
        Fields.integer(token, "expirationSeconds").ifPresent(seconds -> {
            if (seconds < SHORTEST_TOKEN_SECONDS) {
                problems.invalid(
                        path + ".expirationSeconds", seconds, "may not specify a duration less than 10 minutes");
            } else if (seconds > LONGEST_TOKEN_SECONDS) {
                problems.invalid(
                        path + ".expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds");
            }
        });
    }

    private static void items(String path, Document source, boolean byKey, Problems problems) {
        List<Document> items = Fields.objects(source, "items");
        for (int i = 0; i < items.size(); i++) {
            String at = path + ".items[" + i + "]";
            if (byKey) {
                problems.given(at + ".key", Fields.text(items.get(i), "key"));
            }
            filePath(at + ".path", Fields.text(items.get(i), "path"), problems);
            if (!byKey) {
                field(at, items.get(i), problems);
            }
            mode(at + ".mode", items.get(i), "mode", problems);
        }
    }

    /** What a file of the downward API shows: a field of the pod, or how much a container may have of a resource. */
    private static void field(String path, Document item, Problems problems) {
        boolean resource = Fields.isSet(item, "resourceFieldRef");
        if (Fields.isSet(item, "fieldRef")) {
            problems.given(path + ".fieldRef.fieldPath", Fields.text(item, "fieldRef", "fieldPath"));
            if (resource) {
                problems.invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else if (resource) {
            for (String field : List.of("containerName", "resource")) {
                problems.given(path + ".resourceFieldRef." + field, Fields.text(item, "resourceFieldRef", field));
            }
        } else {
            problems.required(path, "one of fieldRef and resourceFieldRef is required");
        }
    }

    /** A file in the volume, beside the names that the volume keeps for itself. */
    private static void filePath(String path, String value, Problems problems) {
        problems.given(path, value);
        SourceRules.descending(path, value, problems);
        if (value.startsWith("..") && !value.startsWith("../") && !value.equals("..")) {
            problems.invalid(path, value, "must not start with '..'");
        }
    }

    private static void mode(String path, Document holder, String field, Problems problems) {
        Fields.integer(holder, field)
                .filter(mode -> mode < 0 || mode > LARGEST_MODE)
                .ifPresent(mode ->
                        problems.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive"));
    }
}
