// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.clusterstore.validation.KindRules;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.clusterstore.validation.Validation;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;

/** What the store lets a scheduler do to a pod, and clients do by its binding alone: give it its node. */
public final class PodUpdates {
    private static final KindRules RULES = Validation.standard().rules(Kinds.POD);
    private static final String[] NODE = {"spec", "nodeName"};

    private PodUpdates() {}

    static void change(Document before, Document after, Problems problems) {
        String node = after.text(NODE).orElse("");
        if (before.text(NODE).orElse("").isEmpty() && !node.isEmpty()) {
            // In the words in which another node is refused.
            RULES.change(after.with("no-" + node, NODE), after, problems);
        }
    }
}
