// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.LabelSelector;
import java.util.List;
import java.util.Optional;
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
        notNegative(problems, spec, "replicas");
        notNegative(problems, spec, "minReadySeconds");
        notNegative(problems, spec, "revisionHistoryLimit");
        notNegative(problems, spec, "ordinals", "start");
        selector(spec, problems);
        template(Fields.object(spec, "template", SPEC), problems);
    }

    private static void notNegative(Problems problems, Document spec, String... path) {
        Fields.integer(spec, path)
                .filter(number -> number < 0)
                .ifPresent(number -> problems.invalid(
                        "spec." + String.join(".", path), number, "must be greater than or equal to 0"));
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

    private static void selector(Document spec, Problems problems) {
        if (!Fields.isSet(spec, "selector")) {
            problems.required("spec.selector", "");
            return;
        }
        Document selector = Fields.object(spec, "selector");
        SelectorRules.labelSelector("spec.selector", selector, problems);
        LabelSelector selected = Fields.labelSelector(spec, "selector");
        String[] labels = {"template", "metadata", "labels"};
        if (selected.equals(LabelSelector.EMPTY)) {
            problems.invalid("spec.selector", selector.asMap(), "empty selector is invalid for statefulset");
        } else if (!selected.matches(Fields.textMap(spec, labels))) {
            problems.invalid(
                    "spec.template.metadata.labels",
                    Fields.object(spec, labels).asMap(),
                    "`selector` does not match template `labels`");
        }
    }

    private static void template(Document pod, Problems problems) {
        Optional<String> restart = pod.text("restartPolicy").filter(policy -> !policy.isEmpty());
        restart.ifPresent(policy -> problems.oneOf("spec.template.spec.restartPolicy", policy, List.of("Always")));
        if (Fields.isSet(pod, "activeDeadlineSeconds")) {
            problems.forbidden(
                    "spec.template.spec.activeDeadlineSeconds",
                    "activeDeadlineSeconds in StatefulSet is not Supported");
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
