// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;

/**
 * Where a pod may run, as long as gates keep it from being scheduled: that may become narrower, never wider (Kubernetes 1.27). Pure.
 */
final class GatedPlacement {
    private static final String SELECTOR = "nodeSelector";
    private static final String[] AFFINITY = {"affinity", "nodeAffinity"};
    private static final String[] TERMS = {
        "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"
    };
    private static final String PATH = "spec." + String.join(".", TERMS);

    private GatedPlacement() {}

    /** Whether a pod of this spec waits for gates. */
    static boolean isGated(Document spec) {
        return !Fields.list(spec, "schedulingGates").isEmpty();
    }

    /** A spec without what may become narrower. */
    static Document without(Document spec) {
        Document rest = spec.without(SELECTOR).without(AFFINITY);
        return Fields.object(rest, "affinity").isEmpty() ? rest.without("affinity") : rest;
    }

    /** Refuses what becomes wider. */
    static void change(Document before, Document after, Problems problems) {
        Map<String, String> old = Fields.textMap(before, SELECTOR);
        Map<String, String> selector = Fields.textMap(after, SELECTOR);
        if (!selector.entrySet().containsAll(old.entrySet())) {
            problems.invalid(
                    "spec.nodeSelector",
                    selector,
                    "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        }
        List<Document> oldTerms = Fields.objects(before, TERMS);
        List<Document> terms = Fields.objects(after, TERMS);
        if (oldTerms.isEmpty()) {
            return;
        }
        if (terms.size() != oldTerms.size()) {
            problems.invalid(
                    PATH,
                    Fields.list(after, TERMS),
                    "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < terms.size(); i++) {
            if (!isNarrower(oldTerms.get(i), terms.get(i))) {
                problems.invalid(
                        PATH + "[" + i + "]",
                        terms.get(i).asMap(),
                        "only additions are allowed (no mutations or deletions)");
            }
        }
    }

    /** A term without any requirement fits no node, and may not come to fit one. */
    private static boolean isNarrower(Document before, Document after) {
        List<Object> expressions = Fields.list(before, "matchExpressions");
        List<Object> fields = Fields.list(before, "matchFields");
        boolean nothing = expressions.isEmpty() && fields.isEmpty();
        return nothing
                ? Fields.list(after, "matchExpressions").isEmpty()
                        && Fields.list(after, "matchFields").isEmpty()
                : beginsWith(Fields.list(after, "matchExpressions"), expressions)
                        && beginsWith(Fields.list(after, "matchFields"), fields);
    }

    private static boolean beginsWith(List<Object> list, List<Object> start) {
        return list.size() >= start.size() && list.subList(0, start.size()).equals(start);
    }
}
