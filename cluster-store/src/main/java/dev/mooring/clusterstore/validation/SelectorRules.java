// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
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
            String term = path + ".nodeSelectorTerms[" + i + "]";
            List<Document> conditions = Fields.objects(terms.get(i), "matchExpressions");
            for (int j = 0; j < conditions.size(); j++) {
                String condition = term + ".matchExpressions[" + j + "]";
                condition(condition, conditions.get(j), NODE_OPERATORS, problems);
                values(condition, conditions.get(j), problems);
            }
            List<Document> fields = Fields.objects(terms.get(i), "matchFields");
            for (int j = 0; j < fields.size(); j++) {
                field(term + ".matchFields[" + j + "]", fields.get(j), problems);
            }
        }
    }

    /** Nodes are selected by one field, their name, and one name at a time; anything else would match no node, without any message. */
    private static void field(String path, Document field, Problems problems) {
        String operator = Fields.text(field, "operator");
        List<String> values = Fields.texts(field, "values");
        if (!operator.endsWith("In") || !LABEL_OPERATORS.contains(operator)) {
            problems.invalid(path + ".operator", operator, "not a valid selector operator");
        } else if (values.size() != 1) {
            problems.required(
                    path + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        String key = Fields.text(field, "key");
        if (!key.equals("metadata.name")) {
            problems.invalid(path + ".key", key, "not a valid field selector key");
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            problems.syntax(path + ".values[" + i + "]", values.get(i), Syntax.subdomain(values.get(i)));
        }
    }

    /** What can be no label's value cannot be compared with one: the whole term would match no node (kubernetes#128212). */
    private static void values(String path, Document condition, Problems problems) {
        List<String> values = Fields.texts(condition, "values");
        for (int i = 0; i < values.size(); i++) {
            problems.syntax(path + ".values[" + i + "]", values.get(i), Syntax.labelValue(values.get(i)));
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
