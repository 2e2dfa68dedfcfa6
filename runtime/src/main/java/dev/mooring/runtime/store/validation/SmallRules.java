// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.validation;

import dev.mooring.runtime.store.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;

/** The rules of kinds that have few. */
final class SmallRules {
    private SmallRules() {}

    /** Kinds with rules for their metadata only. */
    static KindRules none() {
        return (object, problems) -> {};
    }

    /** Nodes: sound taints. */
    static KindRules node() {
        return (object, problems) -> {
            List<Document> taints = Fields.objects(object, "spec", "taints");
            for (int i = 0; i < taints.size(); i++) {
                String path = "spec.taints[" + i + "]";
                String key = Fields.text(taints.get(i), "key");
                problems.syntax(path + ".key", key, Syntax.qualifiedName(key));
                problems.oneOf(
                        path + ".effect",
                        Fields.text(taints.get(i), "effect"),
                        List.of("NoSchedule", "PreferNoSchedule", "NoExecute"));
            }
        };
    }

    /** Events: they lie where their object lies. */
    static KindRules event() {
        return (object, problems) -> {
            String involved = Fields.text(object, "involvedObject", "namespace");
            String namespace = Fields.namespace(object);
            boolean clusterScoped = involved.isEmpty() && namespace.equals("default");
            if (!involved.equals(namespace) && !clusterScoped) {
                problems.invalid("involvedObject.namespace", involved, "does not match event.namespace");
            }
        };
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

    /** Secrets and config maps: sound keys; what is immutable stays. */
    static KindRules data() {
        return new Data();
    }

    private static final class Data implements KindRules {
        @Override
        public void state(Document object, Problems problems) {
            for (String field : List.of("data", "binaryData")) {
                for (Map.Entry<String, Object> entry :
                        Fields.object(object, field).asMap().entrySet()) {
                    problems.syntax(
                            field + "[" + entry.getKey() + "]", entry.getKey(), Syntax.configKey(entry.getKey()));
                }
            }
        }

        @Override
        public void change(Document before, Document after, Problems problems) {
            if (!Fields.isTrue(before, "immutable")) {
                return;
            }
            if (!Fields.isTrue(after, "immutable")) {
                problems.forbidden("immutable", "field is immutable when `immutable` is set");
            }
            for (String field : List.of("data", "binaryData")) {
                if (!before.at(field).equals(after.at(field))) {
                    problems.forbidden(field, "field is immutable when `immutable` is set");
                }
            }
        }
    }
}
