// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.validation;

import dev.mooring.runtime.store.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;

/** Rules about selectors of labels and of nodes. */
final class SelectorRules {
    private static final List<String> LABEL_OPERATORS = List.of("DoesNotExist", "Exists", "In", "NotIn");
    private static final List<String> NODE_OPERATORS = List.of("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn");

    private SelectorRules() {}

    static void labelSelector(String path, Document selector, Problems problems) {
        MetadataRules.labelMap(path + ".matchLabels", Fields.textMap(selector, "matchLabels"), problems);
        List<Document> conditions = Fields.objects(selector, "matchExpressions");
        for (int i = 0; i < conditions.size(); i++) {
            condition(path + ".matchExpressions[" + i + "]", conditions.get(i), LABEL_OPERATORS, problems);
        }
    }

    /** A required node affinity: at least one term, every term readable. */
    static void nodeSelector(String path, Document selector, Problems problems) {
        List<Document> terms = Fields.objects(selector, "nodeSelectorTerms");
        if (terms.isEmpty()) {
            problems.required(path + ".nodeSelectorTerms", "must have at least one node selector term");
        }
        for (int i = 0; i < terms.size(); i++) {
            for (String part : List.of("matchExpressions", "matchFields")) {
                List<Document> conditions = Fields.objects(terms.get(i), part);
                for (int j = 0; j < conditions.size(); j++) {
                    String at = path + ".nodeSelectorTerms[" + i + "]." + part + "[" + j + "]";
                    condition(at, conditions.get(j), NODE_OPERATORS, problems);
                }
            }
        }
    }

    private static void condition(String path, Document condition, List<String> operators, Problems problems) {
        String operator = Fields.text(condition, "operator");
        int values = Fields.list(condition, "values").size();
        if (!operators.contains(operator)) {
            problems.invalid(path + ".operator", operator, "not a valid selector operator");
        } else if (operator.endsWith("In") && values == 0) {
            problems.required(path + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        } else if (operator.endsWith("t") && operator.length() == 2 && values != 1) {
            problems.required(path + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
        } else if (values > 0 && operator.contains("Exist")) {
            problems.forbidden(path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
        String key = Fields.text(condition, "key");
        problems.syntax(path + ".key", key, Syntax.qualifiedName(key));
    }
}
