// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * An explanation for programs:
 *
 * <pre>{@code
 * {"kind", "namespace", "name", "phase", "takenAt",
 *  "rule": {"id", "name", "meaning"},
 *  "causes": [{"code", "text"}],
 *  "volumes": 12,
 *  "excluded": [{"rule", "text", "volumes"}],
 *  "nearest": [{"volume", "differences": [{"rule", "field", "wanted", "actual"}]}],
 *  "awaited": [{"actor", "what", "since"}],
 *  "remedies": [{"text", "command"}],
 *  "facts": ["..."],
 *  "answer", "since"}
 * }</pre>
 *
 * What is not known is left out.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExplanationDocument {
    private ExplanationDocument() {}

    /** The document of an explanation. */
    public static Document of(Explanation explanation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", explanation.kind());
        if (!explanation.object().namespace().isEmpty()) {
            fields.put("namespace", explanation.object().namespace());
        }
        fields.put("name", explanation.object().name());
        fields.put("phase", explanation.phase());
        fields.put("takenAt", explanation.takenAt().toString());
        explanation
                .rule()
                .ifPresent(rule ->
                        fields.put("rule", map("id", rule.id(), "name", rule.name(), "meaning", rule.meaning())));
        fields.put(
                "causes",
                each(explanation.causes(), cause -> map("code", cause.code().name(), "text", cause.text())));
        fields.put("volumes", explanation.volumes());
        fields.put("excluded", each(explanation.excluded(), ExplanationDocument::excluded));
        fields.put("nearest", each(explanation.nearest(), ExplanationDocument::nearMiss));
        fields.put("awaited", each(explanation.awaited(), ExplanationDocument::awaited));
        fields.put("remedies", each(explanation.remedies(), ExplanationDocument::remedy));
        fields.put("facts", explanation.facts());
        fields.put("answer", ExplanationText.answer(explanation));
        explanation.since().ifPresent(since -> fields.put("since", since.toString()));
        return Document.of(fields);
    }

    private static Map<String, Object> excluded(Explanation.Excluded excluded) {
        return map("rule", excluded.rule(), "text", excluded.text(), "volumes", excluded.volumes());
    }

    private static Map<String, Object> nearMiss(Explanation.NearMiss near) {
        return map("volume", near.volume(), "differences", each(near.differences(), ExplanationDocument::difference));
    }

    private static Map<String, Object> difference(Explanation.Difference difference) {
        return map(
                "rule",
                difference.rule(),
                "field",
                difference.field(),
                "wanted",
                difference.wanted(),
                "actual",
                difference.actual());
    }

    private static Map<String, Object> remedy(Explanation.Remedy remedy) {
        return remedy.command().isEmpty()
                ? map("text", remedy.text())
                : map("text", remedy.text(), "command", remedy.command());
    }

    private static Map<String, Object> awaited(Explanation.Awaited awaited) {
        Map<String, Object> fields = map("actor", awaited.actor(), "what", awaited.what());
        awaited.since().ifPresent(since -> fields.put("since", since.toString()));
        return fields;
    }

    private static <T> List<Object> each(List<T> values, Function<T, Map<String, Object>> toMap) {
        List<Object> maps = new ArrayList<>(values.size());
        values.forEach(value -> maps.add(toMap.apply(value)));
        return maps;
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
