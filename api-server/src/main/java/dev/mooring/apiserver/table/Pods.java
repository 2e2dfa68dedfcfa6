// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import static dev.mooring.apiserver.table.Cells.list;
import static dev.mooring.apiserver.table.Cells.text;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;

/** The columns of pods. */
final class Pods {
    private static final String NONE = "<none>";

    private Pods() {}

    static List<Column> columns() {
        return List.of(
                new Column("Name", "string", false, (pod, now) -> text(pod, "metadata", "name")),
                new Column("Ready", "string", false, (pod, now) -> ready(pod)),
                new Column("Status", "string", false, (pod, now) -> status(pod)),
                new Column("Restarts", "string", false, (pod, now) -> Long.toString(restarts(pod))),
                new Column("Age", "string", false, (pod, now) -> Cells.age(pod, now, "metadata", "creationTimestamp")),
                new Column("IP", "string", true, (pod, now) -> orNone(text(pod, "status", "podIP"))),
                new Column("Node", "string", true, (pod, now) -> orNone(text(pod, "spec", "nodeName"))),
                new Column(
                        "Nominated Node",
                        "string",
                        true,
                        (pod, now) -> orNone(text(pod, "status", "nominatedNodeName"))),
                new Column("Readiness Gates", "string", true, (pod, now) -> NONE));
    }

    private static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    private static String ready(Document pod) {
        long ready = list(pod, "status", "containerStatuses").stream()
                .filter(each -> each instanceof Map<?, ?> map && Boolean.TRUE.equals(map.get("ready")))
                .count();
        return ready + "/" + list(pod, "spec", "containers").size();
    }

    private static String status(Document pod) {
        if (pod.at("metadata", "deletionTimestamp").isPresent()) {
            return "Terminating";
        }
        String reason = text(pod, "status", "reason");
        if (reason.isEmpty() && !list(pod, "spec", "schedulingGates").isEmpty()) {
            return "SchedulingGated";
        }
        return reason.isEmpty() ? text(pod, "status", "phase") : reason;
    }

    private static long restarts(Document pod) {
        return list(pod, "status", "containerStatuses").stream()
                .mapToLong(each ->
                        each instanceof Map<?, ?> map && map.get("restartCount") instanceof Long count ? count : 0)
                .sum();
    }
}
