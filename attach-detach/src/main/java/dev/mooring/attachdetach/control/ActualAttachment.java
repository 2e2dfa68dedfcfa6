// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.VolumeAttachment;
import java.time.Instant;

/**
 * An attachment of ours.
 *
 * @param object the VolumeAttachment
 * @param marks what it says about itself
 */
record ActualAttachment(VolumeAttachment object, AttachmentAnnotations marks) {
    String name() {
        return object.metadata().name();
    }

    String node() {
        return object.spec().nodeName();
    }

    Phase phase() {
        return marks.phase(object);
    }

    /** Whether who wants it gets it by this attachment: it is listed under one name, and each node looks for its own. */
    boolean serves(DesiredAttachment want) {
        return want.isReportedAs(marks.reportedName());
    }

    /** Whether this one has the volume rather than the other, if both cannot. */
    boolean before(ActualAttachment other) {
        if (phase() != other.phase()) {
            return precedence(phase()) < precedence(other.phase());
        }
        int byAge = object.metadata()
                .creationTimestamp()
                .orElse(Instant.MAX)
                .compareTo(other.object.metadata().creationTimestamp().orElse(Instant.MAX));
        return byAge != 0 ? byAge < 0 : name().compareTo(other.name()) < 0;
    }

    private static int precedence(Phase phase) {
        return phase == Phase.ATTACHED ? 0 : phase == Phase.ATTACHING ? 1 : 2;
    }
}
