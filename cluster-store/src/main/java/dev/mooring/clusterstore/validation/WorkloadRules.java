// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;
import org.apiguardian.api.API;

/** The rules of Deployments, ReplicaSets and DaemonSets about which pods are theirs. They are stored only, so the rest is not judged. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class WorkloadRules implements KindRules {
    private static final String SELECTOR = "selector";
    private static final String SPEC = "spec";

    private final String ofSelector;
    private final String ofTemplate;
    private final boolean requiresSelector;

    private WorkloadRules(String ofSelector, String ofTemplate, boolean requiresSelector) {
        this.ofSelector = ofSelector;
        this.ofTemplate = ofTemplate;
        this.requiresSelector = requiresSelector;
    }

    /** Of Deployments and ReplicaSets: the API server has the same messages for both. */
    public static WorkloadRules replicated() {
        return new WorkloadRules("deployment", "ReplicaSet", true);
    }

    /** Of DaemonSets. */
    public static WorkloadRules daemonSet() {
        return new WorkloadRules("daemonset", "DaemonSet", false);
    }

    @Override
    public void state(Document object, Problems problems) {
        Document spec = Fields.object(object, SPEC);
        for (String field : List.of("replicas", "minReadySeconds", "revisionHistoryLimit")) {
            PodTemplateRules.notNegative(problems, spec, field);
        }
        if (requiresSelector && !Fields.isSet(spec, SELECTOR)) {
            problems.required("spec.selector", "");
        }
        PodTemplateRules.selector(spec, ofSelector, problems);
        if (Fields.list(spec, "template", SPEC, "containers").isEmpty()) {
            problems.required("spec.template.spec.containers", "");
        }
        PodTemplateRules.template(spec, ofTemplate, problems);
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        Document selector = Fields.object(after, SPEC, SELECTOR);
        if (!selector.equals(Fields.object(before, SPEC, SELECTOR))) {
            problems.invalid("spec.selector", selector.asMap(), "field is immutable");
        }
    }
}
