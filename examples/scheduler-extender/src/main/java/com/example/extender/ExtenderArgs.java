// SPDX-License-Identifier: Apache-2.0
package com.example.extender;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Pod;
import java.util.List;
import java.util.Optional;

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
        Document pod = field(body, "pod")
                .flatMap(body::object)
                .orElseThrow(() -> new IllegalArgumentException("pod: is required"));
        if (!(field(body, "nodenames").flatMap(body::at).orElse("") instanceof List<?> names)) {
            throw new IllegalArgumentException("nodenames: is required; set nodeCacheCapable: true for this extender");
        }
        return new ExtenderArgs(
                Kinds.POD.read(pod), names.stream().map(String.class::cast).toList());
    }

    /** How a field is written here. */
    private static Optional<String> field(Document body, String name) {
        return body.asMap().keySet().stream().filter(name::equalsIgnoreCase).findFirst();
    }
}
