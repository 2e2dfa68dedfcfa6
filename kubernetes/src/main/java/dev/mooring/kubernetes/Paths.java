// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Paths and queries of the Kubernetes REST dialect. */
final class Paths {
    private Paths() {}

    /** Where the resources of a kind's API version are listed. */
    static String version(Kind<?> kind) {
        return kind.group().isEmpty() ? "/api/" + kind.version() : "/apis/" + kind.apiVersion();
    }

    /** All objects of a kind, or those of one namespace. */
    static String collection(Kind<?> kind, String namespace) {
        String scope = kind.namespaced() && !namespace.isEmpty() ? "/namespaces/" + encoded(namespace) : "";
        return version(kind) + scope + "/" + kind.plural();
    }

    static String object(Kind<?> kind, ObjectKey key) {
        return collection(kind, key.namespace()) + "/" + encoded(key.name());
    }

    /** The query of a list; empty or beginning with a question mark. */
    static String listQuery(ListOptions options) {
        List<String> parts = selection(options);
        if (options.limit() > 0) {
            parts.add("limit=" + options.limit());
        }
        if (!options.continueToken().isEmpty()) {
            parts.add("continue=" + encoded(options.continueToken()));
        }
        return parts.isEmpty() ? "" : "?" + String.join("&", parts);
    }

    /** The selection's part of a query. */
    static List<String> selection(ListOptions options) {
        List<String> parts = new ArrayList<>();
        options.labels()
                .map(Paths::labels)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> parts.add("labelSelector=" + encoded(text)));
        if (!options.fields().isEmpty()) {
            parts.add("fieldSelector=" + encoded(options.fields()));
        }
        return parts;
    }

    /** The query of a watch, but for where it begins. */
    static List<String> watch(ListOptions options, Duration longest) {
        List<String> parts = selection(options);
        parts.add("watch=1");
        parts.add("allowWatchBookmarks=true");
        parts.add("timeoutSeconds=" + Math.max(1, longest.toSeconds()));
        return parts;
    }

    private static String labels(LabelSelector selector) {
        List<String> parts = new ArrayList<>();
        selector.matchLabels().forEach((key, value) -> parts.add(key + "=" + value));
        selector.matchExpressions().forEach(each -> parts.add(each.text()));
        return String.join(",", parts);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
