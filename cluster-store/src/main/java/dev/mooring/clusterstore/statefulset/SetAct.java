// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.List;
import java.util.Optional;

/** Something that is to be done for a set. Acts of one plan do not depend on each other's success. */
sealed interface SetAct {
    /**
     * A revision is put down.
     *
     * @param revision the new object
     */
    record MakeRevision(Document revision) implements SetAct {}

    /**
     * A pod is made, after its claims.
     *
     * @param pod the new object
     * @param claims the claims that are missing
     * @param obstacle why this cannot be done now; empty if nothing is known
     */
    record MakePod(Document pod, List<Document> claims, Optional<String> obstacle) implements SetAct {
        public MakePod {
            claims = List.copyOf(claims);
        }
    }

    /**
     * Claims of a pod that is there are made.
     *
     * @param pod the pod's name
     * @param claims the new objects
     */
    record MakeClaims(String pod, List<Document> claims) implements SetAct {
        public MakeClaims {
            claims = List.copyOf(claims);
        }
    }

    /**
     * An object is changed, if it is as it was seen.
     *
     * @param kind its kind
     * @param object the whole object, with the resourceVersion that was seen
     */
    record Replace(Kind<?> kind, Document object) implements SetAct {}

    /**
     * An object without a controller gets the set as its controller, if it is as it was seen and the set lives: what was known of the set may
     * be older than its deletion, which may be why the object has no controller.
     *
     * @param kind its kind
     * @param object the whole object with its new owner, with the resourceVersion that was seen
     */
    record Adopt(Kind<?> kind, Document object) implements SetAct {}

    /**
     * A pod is deleted, with an event.
     *
     * @param pod as it was seen
     */
    record EndPod(Document pod) implements SetAct {}

    /**
     * A revision is forgotten.
     *
     * @param revision as it was seen
     */
    record ForgetRevision(Document revision) implements SetAct {}
}
