// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.validation;

import dev.mooring.runtime.store.fields.Fields;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
            String provisioner = Fields.text(object, "provisioner");
            problems.given("provisioner", provisioner);
            if (!provisioner.isEmpty()) {
                problems.syntax("provisioner", provisioner, Syntax.qualifiedName(provisioner.toLowerCase(Locale.ROOT)));
            }
            parameters(object, problems);
            object.text("reclaimPolicy")
                    .ifPresent(policy -> problems.oneOf("reclaimPolicy", policy, List.of("Delete", "Retain")));
            object.text("volumeBindingMode")
                    .ifPresentOrElse(
                            mode -> problems.oneOf(
                                    "volumeBindingMode", mode, List.of("Immediate", "WaitForFirstConsumer")),
                            () -> problems.required("volumeBindingMode", ""));
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
