// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The labels of nodes that were beta once, and their stable names. A volume's node affinity may move from one to the other, key by key, with
 * the same values, and never back (Kubernetes 1.27; kubernetes#114995). Pure.
 */
final class StableLabels {
    private static final Map<String, String> STABLE = Map.of(
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
            "beta.kubernetes.io/os", "kubernetes.io/os",
            "beta.kubernetes.io/arch", "kubernetes.io/arch",
            "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");
    private static final String[] TERMS = {"required", "nodeSelectorTerms"};
    private static final List<String> REQUIREMENTS = List.of("matchExpressions", "matchFields");

    private StableLabels() {}

    /** Refuses a change of a node affinity, unless nothing but such keys changes. */
    static void change(String path, Document before, Document after, Problems problems) {
        if (!moved(before, after).equals(after)) {
            problems.invalid(
                    path,
                    after.isEmpty() ? "null" : after.asMap(),
                    "field is immutable, except for updating from beta label to GA");
        }
    }

    /** The affinity before, with the keys that moved where they are afterwards. */
    private static Document moved(Document before, Document after) {
        List<Document> terms = Fields.objects(before, TERMS);
        List<Document> others = Fields.objects(after, TERMS);
        if (terms.size() != others.size()) {
            return before;
        }
        List<Object> moved = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            Document term = terms.get(i);
            for (String field : REQUIREMENTS) {
                term = moved(term, others.get(i), field);
            }
            moved.add(term.asMap());
        }
        return terms.isEmpty() ? before : before.with(moved, TERMS);
    }

    private static Document moved(Document term, Document other, String field) {
        List<Document> requirements = Fields.objects(term, field);
        List<Document> others = Fields.objects(other, field);
        if (requirements.isEmpty() || requirements.size() != others.size()) {
            return term;
        }
        List<Object> moved = new ArrayList<>();
        for (int i = 0; i < requirements.size(); i++) {
            String key = Fields.text(others.get(i), "key");
            boolean same = Optional.ofNullable(STABLE.get(Fields.text(requirements.get(i), "key")))
                    .filter(key::equals)
                    .isPresent();
            moved.add((same ? requirements.get(i).with(key, "key") : requirements.get(i)).asMap());
        }
        return term.with(moved, field);
    }
}
