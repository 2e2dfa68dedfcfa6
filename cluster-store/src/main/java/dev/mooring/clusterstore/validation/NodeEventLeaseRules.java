// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of kinds that have few. */
final class NodeEventLeaseRules {
    static final List<String> TAINT_EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private NodeEventLeaseRules() {}

    /** Kinds with rules for their metadata only. */
    static KindRules none() {
        return (object, problems) -> {};
    }

    /** Nodes: sound taints, none twice by key and effect. */
    static KindRules node() {
        return (object, problems) -> {
            List<Document> taints = Fields.objects(object, "spec", "taints");
            Set<List<String>> others = new HashSet<>();
            for (int i = 0; i < taints.size(); i++) {
                String path = "metadata.taints[" + i + "]"; // so Kubernetes calls it
                String key = Fields.text(taints.get(i), "key");
                String value = Fields.text(taints.get(i), "value");
                String effect = Fields.text(taints.get(i), "effect");
                problems.syntax(path + ".key", key, Syntax.qualifiedName(key));
                problems.syntax(path + ".value", value, Syntax.labelValue(value));
                problems.givenOneOf(path + ".effect", effect, TAINT_EFFECTS);
                if (!others.add(List.of(key, effect))) {
                    problems.duplicate(path, taints.get(i).asMap(), "taints must be unique by key and effect pair");
                }
            }
        };
    }

    /** Events: they lie where their object lies, and those of the new style, with a time of their own, are complete. */
    static KindRules event() {
        return (object, problems) -> {
            String involved = Fields.text(object, "involvedObject", "namespace");
            String namespace = Fields.namespace(object);
            boolean fresh = !Fields.text(object, "eventTime").isEmpty();
            boolean clusterScoped =
                    involved.isEmpty() && (namespace.equals("default") || (fresh && namespace.equals("kube-system")));
            boolean apart = fresh ? involved.isEmpty() : !involved.equals(namespace);
            if (apart && !clusterScoped) {
                problems.invalid("involvedObject.namespace", involved, "does not match event.namespace");
            }
            if (fresh) {
                String reporter = Fields.text(object, "reportingComponent");
                problems.given("reportingController", reporter);
                problems.syntax("reportingController", reporter, Syntax.qualifiedName(reporter));
                for (String field : List.of("reportingInstance", "action", "reason")) {
                    problems.given(field, Fields.text(object, field));
                    atMost(128, object, field, problems);
                }
                atMost(1024, object, "message", problems);
            }
        };
    }

    private static void atMost(int most, Document event, String field, Problems problems) {
        if (Fields.text(event, field).getBytes(StandardCharsets.UTF_8).length > most) { // as Go counts
            problems.invalid(field, "", "can have at most " + most + " characters");
        }
    }

    /** Leases: lengths of time are sound. */
    static KindRules lease() {
        return (object, problems) -> {
            Fields.integer(object, "spec", "leaseDurationSeconds")
                    .filter(seconds -> seconds <= 0)
                    .ifPresent(seconds ->
                            problems.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
            Fields.integer(object, "spec", "leaseTransitions")
                    .filter(count -> count < 0)
                    .ifPresent(count ->
                            problems.invalid("spec.leaseTransitions", count, "must be greater than or equal to 0"));
        };
    }
}
