// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The rules of StorageClasses and VolumeAttributesClasses (semantics/binder §1.12). */
final class ClassRules {
    private static final int MOST_PARAMETERS = 512;
    private static final int LARGEST_PARAMETERS = 256 * 1024;

    private ClassRules() {}

    static KindRules storageClass() {
        return new StorageClassRules();
    }

    static KindRules attributesClass() {
        return new AttributesClassRules();
    }

    private static void parameters(Document object, Problems problems) {
        Map<String, String> parameters = Fields.textMap(object, "parameters");
        if (parameters.size() > MOST_PARAMETERS) {
            problems.tooLong("parameters", "Provisioner Parameters exceeded max allowed " + MOST_PARAMETERS);
        }
        int size = 0;
        for (Map.Entry<String, String> entry : parameters.entrySet()) {
            if (entry.getKey().isEmpty()) {
                problems.invalid("parameters", "", "field can not be empty.");
            }
            size += entry.getKey().getBytes(StandardCharsets.UTF_8).length
                    + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > LARGEST_PARAMETERS) {
            problems.tooLong("parameters", "may not be more than " + LARGEST_PARAMETERS + " bytes");
        }
    }

    private static void topology(String path, Document term, Problems problems) {
        Set<String> keys = new HashSet<>();
        List<Document> conditions = Fields.objects(term, "matchLabelExpressions");
        for (int i = 0; i < conditions.size(); i++) {
            String at = path + ".matchLabelExpressions[" + i + "]";
            String key = Fields.text(conditions.get(i), "key");
            problems.syntax(at + ".key", key, Syntax.qualifiedName(key));
            if (!keys.add(key)) {
                problems.duplicate(at + ".key", key);
            }
            List<String> values = Fields.texts(conditions.get(i), "values");
            if (values.isEmpty()) {
                problems.required(at + ".values", "");
            }
            Set<String> seen = new HashSet<>();
            for (int j = 0; j < values.size(); j++) {
                if (!seen.add(values.get(j))) {
                    problems.duplicate(at + ".values[" + j + "]", values.get(j));
                }
            }
        }
    }

    private static void fixed(Document before, Document after, Problems problems, String... fields) {
        for (String field : fields) {
            if (!before.at(field).equals(after.at(field))) {
                problems.forbidden(field, "updates to " + field + " are forbidden.");
            }
        }
    }

    private static final class StorageClassRules implements KindRules {
        @Override
        public void state(Document object, Problems problems) {
            problems.given(
                    "provisioner",
                    Fields.text(object, "provisioner"),
                    name -> Syntax.qualifiedName(name.toLowerCase(Locale.ROOT)));
            parameters(object, problems);
            object.text("reclaimPolicy")
                    .ifPresent(policy -> problems.oneOf("reclaimPolicy", policy, List.of("Delete", "Retain")));
            object.text("volumeBindingMode")
                    .ifPresentOrElse(
                            mode -> problems.oneOf(
                                    "volumeBindingMode", mode, List.of("Immediate", "WaitForFirstConsumer")),
                            () -> problems.required("volumeBindingMode", ""));
            List<Document> terms = Fields.objects(object, "allowedTopologies");
            for (int i = 0; i < terms.size(); i++) {
                topology("allowedTopologies[" + i + "]", terms.get(i), problems);
            }
        }

        @Override
        public void change(Document before, Document after, Problems problems) {
            fixed(before, after, problems, "parameters", "provisioner", "reclaimPolicy");
            problems.immutable("volumeBindingMode", before.at("volumeBindingMode"), after.at("volumeBindingMode"));
        }
    }

    private static final class AttributesClassRules implements KindRules {
        @Override
        public void state(Document object, Problems problems) {
            SourceRules.driverName("driverName", Fields.text(object, "driverName"), problems);
            if (Fields.textMap(object, "parameters").isEmpty()) {
                problems.required("parameters", "must contain at least one key/value pair");
            }
            parameters(object, problems);
        }

        @Override
        public void change(Document before, Document after, Problems problems) {
            fixed(before, after, problems, "driverName", "parameters");
        }
    }
}
