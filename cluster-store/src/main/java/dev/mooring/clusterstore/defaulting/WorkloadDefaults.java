// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The defaults of workloads and of kinds that are only stored, where clients read them without asking whether they are set. A default of a structure is
 * filled in only where the structure is absent or empty.
 */
final class WorkloadDefaults {
    private static final Map<String, Map<String, Object>> SPECS = Map.of(
            "Deployment",
                    Map.of(
                            "replicas", 1L,
                            "revisionHistoryLimit", 10L,
                            "progressDeadlineSeconds", 600L,
                            "strategy",
                                    Map.of(
                                            "type",
                                            "RollingUpdate",
                                            "rollingUpdate",
                                            Map.of("maxSurge", "25%", "maxUnavailable", "25%"))),
            "StatefulSet", Map.of("replicas", 1L, "revisionHistoryLimit", 10L, "podManagementPolicy", "OrderedReady"),
            "ReplicaSet", Map.of("replicas", 1L),
            "ReplicationController", Map.of("replicas", 1L),
            "DaemonSet",
                    Map.of(
                            "revisionHistoryLimit",
                            10L,
                            "updateStrategy",
                            Map.of(
                                    "type",
                                    "RollingUpdate",
                                    "rollingUpdate",
                                    Map.of("maxSurge", 0L, "maxUnavailable", 1L))),
            "Job",
                    Map.of(
                            "backoffLimit", 6L,
                            "completions", 1L,
                            "parallelism", 1L,
                            "completionMode", "NonIndexed",
                            "suspend", false),
            "CronJob",
                    Map.of(
                            "concurrencyPolicy",
                            "Allow",
                            "successfulJobsHistoryLimit",
                            3L,
                            "failedJobsHistoryLimit",
                            1L,
                            "suspend",
                            false),
            "Service",
                    Map.of(
                            "type", "ClusterIP",
                            "sessionAffinity", "None",
                            "internalTrafficPolicy", "Cluster"));

    private WorkloadDefaults() {}

    /** The object with its defaults; the same object if its kind has none. */
    static Document filled(Kind<?> kind, Document object) {
        Document filled = object;
        for (Map.Entry<String, Object> each :
                SPECS.getOrDefault(kind.name(), Map.of()).entrySet()) {
            // An empty structure counts as not given: Go's clients send it so.
            boolean isGiven = filled.at("spec", each.getKey())
                    .filter(value -> !value.equals(Map.of()))
                    .isPresent();
            filled = isGiven ? filled : filled.with(each.getValue(), "spec", each.getKey());
        }
        if (kind.name().equals("StatefulSet")) {
            return withPolicies(filled);
        }
        return kind.name().equals("Service") ? withPorts(filled) : filled;
    }

    /** Of a set's policies each field has a default of its own. */
    private static Document withPolicies(Document set) {
        Document filled = set;
        for (String field : List.of("whenDeleted", "whenScaled")) {
            filled = ifEmpty(filled, "Retain", "spec", "persistentVolumeClaimRetentionPolicy", field);
        }
        filled = ifEmpty(filled, "RollingUpdate", "spec", "updateStrategy", "type");
        boolean rolls = Fields.text(filled, "spec", "updateStrategy", "type").equals("RollingUpdate");
        String[] partition = {"spec", "updateStrategy", "rollingUpdate", "partition"};
        return rolls && !Fields.isSet(filled, partition) ? filled.with(0L, partition) : filled;
    }

    private static Document ifEmpty(Document object, String value, String... path) {
        return Fields.text(object, path).isEmpty() ? object.with(value, path) : object;
    }

    /** A port of a Service is one of TCP, and leads to the same port of its pods. */
    private static Document withPorts(Document service) {
        List<Object> ports = new ArrayList<>();
        for (Document port : Fields.objects(service, "spec", "ports")) {
            Document tcp = Fields.isSet(port, "protocol") ? port : port.with("TCP", "protocol");
            ports.add(
                    Fields.isSet(tcp, "targetPort")
                            ? tcp
                            : tcp.at("port")
                                    .map(number -> tcp.with(number, "targetPort"))
                                    .orElse(tcp));
        }
        return ports.isEmpty() ? service : service.with(ports, "spec", "ports");
    }
}
