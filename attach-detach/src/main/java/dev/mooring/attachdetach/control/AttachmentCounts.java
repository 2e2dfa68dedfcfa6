// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.List;
import java.util.Optional;

/**
 * What is wanted and what is attached, counted as it changes (semantics/attach-and-mount §1.14). A plugin of this process goes by its
 * name, a CSI driver by {@code kubernetes.io/csi:<driver>}. Confined to the decider.
 */
public final class AttachmentCounts {
    private static final String WANTED = "desired_state_of_world";
    private static final String ATTACHED = "actual_state_of_world";

    private final Counters wantedByNode = new Counters("node", "volume_plugin");
    private final Counters total = new Counters("plugin_name", "state");

    /** Nothing is wanted or attached. */
    AttachmentCounts() {}

    /**
     * The counts of a controller.
     *
     * @param controllers among which it is
     * @throws IllegalArgumentException if none of them attaches
     */
    public static AttachmentCounts of(List<? extends Controller> controllers) {
        return controllers.stream()
                .flatMap(controller -> countsOf(controller).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "none of the controllers attaches; hand over those that AttachDetach.controllers has made"));
    }

    /** A controller that attaches for another program has no desired attachments to count. */
    private static Optional<AttachmentCounts> countsOf(Controller controller) {
        if (controller instanceof AttachDetachController wanting) {
            return Optional.of(wanting.counts());
        }
        return controller instanceof AttacherController ? Optional.of(new AttachmentCounts()) : Optional.empty();
    }

    /** How many attachments pods want, by node and plugin; a view. */
    public Counters wantedByNode() {
        return wantedByNode;
    }

    /** How many attachments are wanted, and how many there are in whatever phase, by plugin; a view. */
    public Counters total() {
        return total;
    }

    /** An attachment is wanted by other pods than before, or by the first or by the last of them. */
    void wanted(Optional<DesiredAttachment> before, Optional<DesiredAttachment> after) {
        before.ifPresent(want -> {
            wantedByNode.uncount(want.node(), pluginOf(want.volume()));
            total.uncount(pluginOf(want.volume()), WANTED);
        });
        after.ifPresent(want -> {
            wantedByNode.count(want.node(), pluginOf(want.volume()));
            total.count(pluginOf(want.volume()), WANTED);
        });
    }

    void attached(Optional<VolumeAttachment> before, Optional<VolumeAttachment> after) {
        before.ifPresent(attachment -> total.uncount(pluginOf(attachment), ATTACHED));
        after.ifPresent(attachment -> total.count(pluginOf(attachment), ATTACHED));
    }

    private static String pluginOf(Attachable volume) {
        return volume.id().map(id -> id.plugin().value()).orElse("kubernetes.io/csi:" + volume.owner());
    }

    private static String pluginOf(VolumeAttachment attachment) {
        return AttachmentAnnotations.of(attachment)
                .flatMap(AttachmentAnnotations::id)
                .map(id -> id.plugin().value())
                .orElse("kubernetes.io/csi:" + attachment.spec().attacher());
    }

    /** Why an effect begins a detachment by force; empty if it does not. */
    public static Optional<String> forcedBy(Effect effect) {
        if (effect instanceof Effect.Delete<?> delete) {
            return Optional.of(delete.operation())
                    .filter(operation -> operation.startsWith(AttachmentOperations.FORCE_DETACH))
                    .map(operation -> operation.substring(AttachmentOperations.FORCE_DETACH.length()));
        }
        return effect instanceof Effect.Update<?> update
                        && update.operation().equals(AttachmentOperations.BEGIN_DETACH)
                        && update.change().edited() instanceof VolumeAttachment attachment
                ? AttachmentAnnotations.of(attachment)
                        .map(AttachmentAnnotations::evidence)
                        .filter(evidence -> evidence != ForceDetachEvidence.NONE)
                        .map(ForceDetachEvidence::word)
                : Optional.empty();
    }
}
