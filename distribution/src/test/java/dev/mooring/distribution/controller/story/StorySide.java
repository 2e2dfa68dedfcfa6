// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One story on one of the two API servers. Its objects have names of their own there, so that stories do not meet. One thread.
 */
final class StorySide {
    private static final Pattern NAME = Pattern.compile("~([a-z0-9]*)");
    private static final Pattern UID = Pattern.compile("@([a-z0-9]+)");
    private static final String NO_CLAIM = "00000000-0000-4000-8000-000000000000";
    private static final List<StoryKind> COMPARED = List.of(StoryKind.VOLUME, StoryKind.CLAIM, StoryKind.POD);

    private final ApiClient api;
    private final String prefix;

    /** What each uid is called in what is compared. */
    private final Map<String, String> names = new LinkedHashMap<>();

    private final Map<String, Integer> made = new LinkedHashMap<>();
    private final Map<String, String> claims = new LinkedHashMap<>();

    StorySide(ApiClient api, String prefix) {
        this.api = api;
        this.prefix = prefix;
    }

    /** Does it; the status of the answer. */
    int send(StoryStep step) {
        boolean creates = step.method().equals("POST");
        String object = creates ? "" : "/" + prefix + "-" + step.name();
        String subresource = step.subresource().isEmpty() ? "" : "/" + step.subresource();
        HttpResponse<String> answer =
                api.send(step.method(), step.kind().collection() + object + subresource, filled(step.body()));
        if (creates && answer.statusCode() == 201) {
            String uid = KubernetesJson.standard()
                    .read(answer.body(), step.toString())
                    .text("metadata", "uid")
                    .orElseThrow();
            String called = step.kind().shortName() + "/" + step.name();
            names.put(uid, "uid-of-" + called + "-" + made.merge(called, 1, Integer::sum));
            if (step.kind() == StoryKind.CLAIM) {
                claims.put(step.name(), uid);
            }
        }
        return answer.statusCode();
    }

    private String filled(String body) {
        String named = NAME.matcher(body)
                .replaceAll(found -> found.group(1).isEmpty() ? prefix : prefix + "-" + found.group(1));
        return UID.matcher(named).replaceAll(found -> claims.getOrDefault(found.group(1), NO_CLAIM));
    }

    /** What the story's objects are now. */
    StoryState state() {
        List<Map<?, ?>> objects = new ArrayList<>();
        for (StoryKind kind : COMPARED) {
            String body = api.send("GET", kind.collection() + "?labelSelector=story%3D" + prefix, "")
                    .body();
            for (Map.Entry<String, String> known : names.entrySet()) {
                body = body.replace(known.getKey(), known.getValue());
            }
            Document list = KubernetesJson.standard().read(body.replace(prefix + "-", ""), kind.shortName());
            for (Object each : (List<?>) list.at("items").orElse(List.of())) {
                objects.add(withKind((Map<?, ?>) each, kind));
            }
        }
        return StoryState.of(objects);
    }

    private static Map<Object, Object> withKind(Map<?, ?> object, StoryKind kind) {
        Map<Object, Object> copy = new LinkedHashMap<>(object);
        copy.put("kind", kind.shortName());
        return copy;
    }

    /** Takes everything away, finalizers or not, until nothing is left. */
    void clear(List<StoryStep> steps) {
        List<String> paths = steps.stream()
                .filter(step -> step.method().equals("POST"))
                .map(step -> step.kind().collection() + "/" + prefix + "-" + step.name())
                .distinct()
                .toList();
        List<String> left = new ArrayList<>(paths);
        while (!left.isEmpty()) {
            left.removeIf(path -> api.send("GET", path, "").statusCode() == 404);
            for (String path : left) {
                api.send("DELETE", path, "{\"gracePeriodSeconds\":0}");
                api.send("PATCH", path, "{\"metadata\":{\"finalizers\":null}}");
            }
        }
    }
}
