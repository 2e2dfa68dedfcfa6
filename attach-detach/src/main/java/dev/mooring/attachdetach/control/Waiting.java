// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import java.util.Optional;

/** Says for people what an attachment waits for in the steps in which others have to act. A step that acts says it by what it does. */
final class Waiting {
    private final AttachmentSituation it;

    Waiting(AttachmentSituation subject) {
        this.it = subject;
    }

    /** What is waited for in a step; empty if nothing, or if only an effect of the step's own. */
    Optional<String> reason(Step step) {
        return switch (step) {
            case NOTHING -> nothing();
            case STAY ->
                Optional.of("node \"" + node()
                        + "\" was deleted or replaced, and its machine may still use volume \""
                        + volume() + "\"; if that machine is off, annotate the attachment with "
                        + AttachmentAnnotations.FORCE);
            case AWAIT_ATTACHER ->
                Optional.of("timed out waiting for external-attacher of " + driver() + " CSI driver to attach volume "
                        + volume());
            case AWAIT_DETACHER ->
                Optional.of("timed out waiting for external-attacher of " + driver() + " CSI driver to detach volume "
                        + volume());
            case AWAIT_DELISTED ->
                Optional.of(
                        "the status of node \"" + node() + "\" still lists volume \"" + volume() + "\" as attached");
            case AWAIT_UNUSED ->
                Optional.of("node \"" + node() + "\" still reports volume \"" + volume()
                        + "\" in use, so it is not detached; is the node's agent running?");
            case KEEP ->
                it.object().metadata().isDeleting()
                        ? Optional.of("pods on node \"" + node() + "\" use volume \"" + volume()
                                + "\", so it stays attached until they are deleted")
                        : Optional.empty();
            case AWAIT_SLOT,
                    CREATE,
                    CONFIRM,
                    ATTACH,
                    SHOW_ATTACHED,
                    WITHDRAW,
                    MOVE_TO_NEW_NODE,
                    REQUEST_DETACH,
                    PROVE,
                    BEGIN_DETACH,
                    DETACH,
                    FORGET -> Optional.empty();
        };
    }

    private Optional<String> nothing() {
        return it.wants().isEmpty() || it.node().isPresent()
                ? Optional.empty()
                : Optional.of("volume \"" + volume() + "\" is not attached, since there is no node \"" + node() + "\"");
    }

    private String node() {
        return it.known()
                .map(ActualAttachment::node)
                .orElseGet(() -> it.wants().get(0).node());
    }

    private String volume() {
        return it.known()
                .map(known -> known.marks().volume())
                .orElseGet(() -> it.wants().get(0).volume().spec().name());
    }

    private String driver() {
        return it.object().spec().attacher();
    }
}
