// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.List;
import java.util.Optional;

/** What is counted as it changes is what a count of everything gives. */
final class RecountedAttachments {
    private RecountedAttachments() {}

    static void check(ControlLoop loop, List<Controller> controllers) {
        AttachmentCounts counts = AttachmentCounts.of(controllers);
        AttachmentCounts again = new AttachmentCounts();
        for (VolumeAttachment attachment :
                loop.caches().of(Kinds.VOLUME_ATTACHMENT).all()) {
            again.attached(Optional.empty(), Optional.of(attachment));
        }
        controllers.stream()
                .map(AttachDetachController.class::cast)
                .flatMap(controller -> controller.wanted().stream())
                .forEach(want -> again.wanted(Optional.empty(), Optional.of(want)));
        assertThat(shown(counts.total())).isEqualTo(shown(again.total()));
        assertThat(shown(counts.wantedByNode())).isEqualTo(shown(again.wantedByNode()));
    }

    private static Metric shown(Counters counters) {
        return counters.as("counts", Metric.Type.GAUGE, "");
    }
}
