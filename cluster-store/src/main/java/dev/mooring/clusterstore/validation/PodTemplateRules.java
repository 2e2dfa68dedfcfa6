// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.LabelSelector;
import java.util.List;
import java.util.Optional;

/** What the kinds that make pods of a template have in common. */
final class PodTemplateRules {
    private static final String SELECTOR = "selector";

    private PodTemplateRules() {}

    static void notNegative(Problems problems, Document spec, String... path) {
        Fields.integer(spec, path)
                .filter(number -> number < 0)
                .ifPresent(number -> problems.invalid(
                        "spec." + String.join(".", path), number, "must be greater than or equal to 0"));
    }

    /**
     * The selector, and whether it selects the pods of the template. One that is absent selects nothing.
     *
     * @param kind as the API server's message has it: in small letters
     */
    static void selector(Document spec, String kind, Problems problems) {
        Document selector = Fields.object(spec, SELECTOR);
        int before = problems.found().size();
        SelectorRules.labelSelector("spec.selector", selector, problems);
        if (problems.found().size() > before) {
            return;
        }
        LabelSelector selected = Fields.labelSelector(spec, SELECTOR);
        String[] labels = {"template", "metadata", "labels"};
        boolean isSet = Fields.isSet(spec, SELECTOR);
        if (isSet && selected.equals(LabelSelector.EMPTY)) {
            problems.invalid("spec.selector", selector.asMap(), "empty selector is invalid for " + kind);
        } else if (!isSet || !selected.matches(Fields.textMap(spec, labels))) {
            problems.invalid(
                    "spec.template.metadata.labels",
                    Fields.object(spec, labels).asMap(),
                    "`selector` does not match template `labels`");
        }
    }

    /**
     * Pods that are made again when they end.
     *
     * @param kind that the API server's message names
     */
    static void template(Document spec, String kind, Problems problems) {
        Document pod = Fields.object(spec, "template", "spec");
        Optional<String> restart = pod.text("restartPolicy").filter(policy -> !policy.isEmpty());
        restart.ifPresent(policy -> problems.oneOf("spec.template.spec.restartPolicy", policy, List.of("Always")));
        if (Fields.isSet(pod, "activeDeadlineSeconds")) {
            problems.forbidden(
                    "spec.template.spec.activeDeadlineSeconds",
                    "activeDeadlineSeconds in " + kind + " is not Supported");
        }
    }
}
