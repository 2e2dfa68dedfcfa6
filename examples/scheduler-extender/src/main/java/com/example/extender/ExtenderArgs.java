// SPDX-License-Identifier: Apache-2.0
package com.example.extender;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What kube-scheduler asks with. Its programs take names of fields in any case, so this does too.
 *
 * @param pod the pod that is scheduled
 * @param nodes the names of the nodes that are left
 */
record ExtenderArgs(Pod pod, List<String> nodes) {
    /**
     * Reads a body of the scheduler.
     *
     * @throws IllegalArgumentException if it lacks the pod, or the names of nodes
     */
    static ExtenderArgs of(Document body) {
        Map<String, Object> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.putAll(body.asMap());
        if (!(fields.get("pod") instanceof Map<?, ?>)) {
            throw new IllegalArgumentException("pod: is required");
        }
        Document pod = Document.of(Map.of("pod", fields.get("pod"))).object("pod").orElseThrow();
        if (!(fields.get("nodenames") instanceof List<?> names)) {
            throw new IllegalArgumentException("nodenames: is required; set nodeCacheCapable: true for this extender");
        }
        return new ExtenderArgs(Kinds.POD.read(pod), names.stream().map(String.class::cast).toList());
    }
}
