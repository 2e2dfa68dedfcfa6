// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;
import org.apiguardian.api.API;

/** The rules of StatefulSets. As in Kubernetes, what a pod template says is judged when a pod is made of it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StatefulSetRules implements KindRules {
    private static final String SPEC = "spec";
    private static final String STRATEGY = "updateStrategy";
    private static final String ROLLING = "rollingUpdate";
    private static final String RETENTION = "persistentVolumeClaimRetentionPolicy";
    private static final List<String> CHANGEABLE =
            List.of("replicas", "ordinals", "template", STRATEGY, "revisionHistoryLimit", RETENTION, "minReadySeconds");

    /** They have no state. */
    public StatefulSetRules() {}

    @Override
    public void state(Document object, Problems problems) {
        Document spec = Fields.object(object, SPEC);
        String policy = Fields.text(spec, "podManagementPolicy");
        if (!policy.equals("OrderedReady") && !policy.equals("Parallel")) {
            problems.invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'");
        }
        strategy(Fields.object(spec, STRATEGY), problems);
        for (String field : List.of("whenDeleted", "whenScaled")) {
            problems.oneOf(
                    "spec." + RETENTION + "." + field,
                    Fields.text(spec, RETENTION, field),
                    List.of("Delete", "Retain"));
        }
        PodTemplateRules.notNegative(problems, spec, "replicas");
        PodTemplateRules.notNegative(problems, spec, "minReadySeconds");
        PodTemplateRules.notNegative(problems, spec, "revisionHistoryLimit");
        PodTemplateRules.notNegative(problems, spec, "ordinals", "start");
        if (Fields.isSet(spec, "selector")) {
            PodTemplateRules.selector(spec, "statefulset", problems);
        } else {
            problems.required("spec.selector", "");
        }
        PodTemplateRules.template(spec, "StatefulSet", problems);
    }

    private static void strategy(Document strategy, Problems problems) {
        String type = Fields.text(strategy, "type");
        if (type.equals("OnDelete")) {
            if (Fields.isSet(strategy, ROLLING)) {
                problems.invalid(
                        "spec.updateStrategy.rollingUpdate",
                        Fields.object(strategy, ROLLING).asMap(),
                        "only allowed for updateStrategy 'RollingUpdate'");
            }
        } else if (type.equals("RollingUpdate")) {
            Fields.integer(strategy, ROLLING, "partition")
                    .filter(number -> number < 0)
                    .ifPresent(number -> problems.invalid(
                            "spec.updateStrategy.rollingUpdate.partition",
                            number,
                            "must be greater than or equal to 0"));
        } else {
            problems.invalid("spec.updateStrategy", strategy.asMap(), "must be 'RollingUpdate' or 'OnDelete'");
        }
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        if (!fixed(before).equals(fixed(after))) {
            problems.forbidden(
                    SPEC,
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
                            + "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
        }
    }

    private static Document fixed(Document object) {
        Document spec = Fields.object(object, SPEC);
        for (String field : CHANGEABLE) {
            spec = spec.without(field);
        }
        return spec;
    }
}
