// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of CSIDrivers, CSINodes and CSIStorageCapacities. */
final class DriverRules {
    private DriverRules() {}

    static KindRules driver() {
        return new Driver();
    }

    static KindRules node() {
        return new NodeDrivers();
    }

    static KindRules capacity() {
        return new Capacity();
    }

    private static final class Driver implements KindRules {
        private static final List<String> FS_GROUP_POLICIES = List.of("ReadWriteOnceWithFSType", "File", "None");
        /** In seconds. */
        private static final long SHORTEST_UPDATE_PERIOD = 10;

        private static final List<String> LIFECYCLES = List.of("Persistent", "Ephemeral");

        @Override
        public void state(Document object, Problems problems) {
            if (Fields.name(object).length() > Syntax.LABEL_LENGTH) {
                problems.tooLong("metadata.name", "may not be more than " + Syntax.LABEL_LENGTH + " bytes");
            }
            object.text("spec", "fsGroupPolicy")
                    .ifPresent(policy -> problems.oneOf("spec.fsGroupPolicy", policy, FS_GROUP_POLICIES));
            Fields.texts(object, "spec", "volumeLifecycleModes")
                    .forEach(mode -> problems.oneOf("spec.volumeLifecycleModes", mode, LIFECYCLES));
            tokens(Fields.objects(object, "spec", "tokenRequests"), problems);
            if (Fields.isSet(object, "spec", "serviceAccountTokenInSecrets")
                    && Fields.objects(object, "spec", "tokenRequests").isEmpty()) {
                problems.invalid(
                        "spec.serviceAccountTokenInSecrets",
                        object.at("spec", "serviceAccountTokenInSecrets").orElse(false),
                        "serviceAccountTokenInSecrets is set but no tokenRequests are specified");
            }
            Fields.integer(object, "spec", "nodeAllocatableUpdatePeriodSeconds")
                    .filter(period -> period < SHORTEST_UPDATE_PERIOD)
                    .ifPresent(period -> problems.invalid(
                            "spec.nodeAllocatableUpdatePeriodSeconds",
                            period,
                            "must be greater than or equal to " + SHORTEST_UPDATE_PERIOD + " seconds"));
        }

        private static void tokens(List<Document> requests, Problems problems) {
            Set<String> audiences = new HashSet<>();
            for (int i = 0; i < requests.size(); i++) {
                String path = "spec.tokenRequests[" + i + "]";
                String audience = Fields.text(requests.get(i), "audience");
                if (!audiences.add(audience)) {
                    problems.duplicate(path + ".audience", audience);
                }
                ContentRules.tokenLife(path, requests.get(i), problems);
            }
        }

        @Override
        public void change(Document before, Document after, Problems problems) {
            for (String field : List.of("attachRequired", "volumeLifecycleModes")) {
                problems.immutable("spec." + field, before.at("spec", field), after.at("spec", field));
            }
        }
    }

    private static final class NodeDrivers implements KindRules {
        @Override
        public void state(Document object, Problems problems) {
            Set<String> names = new HashSet<>();
            List<Document> drivers = Fields.objects(object, "spec", "drivers");
            for (int i = 0; i < drivers.size(); i++) {
                String path = "spec.drivers[" + i + "]";
                String name = Fields.text(drivers.get(i), "name");
                SourceRules.driverName(path + ".name", name, problems);
                if (!names.add(name)) {
                    problems.duplicate(path + ".name", name);
                }
                problems.given(path + ".nodeID", Fields.text(drivers.get(i), "nodeID"));
                Fields.integer(drivers.get(i), "allocatable", "count")
                        .filter(count -> count < 0)
                        .ifPresent(count -> problems.invalid(
                                path + ".allocatable.count", count, "must be greater than or equal to 0"));
                Set<String> keys = new HashSet<>();
                for (String key : Fields.texts(drivers.get(i), "topologyKeys")) {
                    problems.given(path + ".topologyKeys", key, Syntax::qualifiedName);
                    if (!keys.add(key)) {
                        problems.duplicate(path + ".topologyKeys", key);
                    }
                }
            }
        }

        @Override
        public void change(Document before, Document after, Problems problems) {
            Map<String, Document> old = new HashMap<>();
            Fields.objects(before, "spec", "drivers").forEach(driver -> old.put(Fields.text(driver, "name"), driver));
            for (Document driver : Fields.objects(after, "spec", "drivers")) {
                Document known = old.get(Fields.text(driver, "name"));
                // The number of volumes may change (MutableCSINodeAllocatableCount).
                if (known != null && !known.without("allocatable").equals(driver.without("allocatable"))) {
                    problems.invalid("spec.drivers", driver.asMap(), "field is immutable");
                }
            }
        }
    }

    private static final class Capacity implements KindRules {
        @Override
        public void state(Document object, Problems problems) {
            problems.given("storageClassName", Fields.text(object, "storageClassName"), Syntax::subdomain);
            if (Fields.isSet(object, "nodeTopology")) {
                SelectorRules.labelSelector("nodeTopology", Fields.object(object, "nodeTopology"), problems);
            }
            for (String field : List.of("capacity", "maximumVolumeSize")) {
                QuantityRules.at(object, field)
                        .filter(amount -> amount.signum() < 0)
                        .ifPresent(amount ->
                                problems.invalid(field, amount.toString(), "must be greater than or equal to 0"));
            }
        }

        @Override
        public void change(Document before, Document after, Problems problems) {
            for (String field : List.of("nodeTopology", "storageClassName")) {
                problems.immutable(field, before.at(field), after.at(field));
            }
        }
    }
}
