// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a node has attached, what is stuck there and why, which drivers it has and how much room. */
final class NodeCauses {
    /** How many attachments that wait are told of one by one. */
    private static final int MOST_STUCK = 10;

    private static final int MOST_DRIVERS = 15;

    private final Snapshot snapshot;
    private final Node node;
    private final String name;
    private final ExplanationFindings findings;

    NodeCauses(Snapshot snapshot, Node node, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.node = node;
        this.name = node.metadata().name();
        this.findings = findings;
    }

    void explain() {
        List<VolumeAttachment> all = snapshot.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment -> attachment.spec().nodeName().equals(name))
                .toList();
        Set<AttachmentCauses.Place> used = AttachmentCauses.used(snapshot);
        List<VolumeAttachment> stuck = all.stream()
                .filter(attachment -> !AttachmentCauses.isWell(used, attachment))
                .sorted(Comparator.comparing(attachment -> attachment
                        .metadata()
                        .creationTimestamp()
                        .map(Object::toString)
                        .orElse("")))
                .toList();
        if (node.hasOutOfServiceTaint()) {
            outOfService(all);
        } else if (!node.isReady()) {
            notReady(all);
        } else {
            stuck.stream()
                    .limit(MOST_STUCK)
                    .forEach(attachment -> new AttachmentCauses(snapshot, attachment, findings).explain());
        }
        if (node.readyCondition().isEmpty()) {
            findings.facts.add("No agent has ever reported whether it is ready.");
        }
        if (findings.causes.isEmpty()) {
            findings.cause(
                    CauseCode.NOTHING_WRONG,
                    counted(all.size(), "volume") + " attached; nothing waits to be attached or detached.");
        } else if (stuck.size() > MOST_STUCK && node.isReady()) {
            findings.facts.add((stuck.size() - MOST_STUCK) + " more attachments wait: see mooring explain -A.");
        }
        drivers(all);
    }

    private void outOfService(List<VolumeAttachment> all) {
        findings.cause(
                        CauseCode.NODE_OUT_OF_SERVICE,
                        "The node is declared to be out of service"
                                + (node.isReady() && node.readyCondition().isPresent() ? ", but is ready" : "") + ": "
                                + (all.isEmpty()
                                        ? "no volume is attached to it any more."
                                        : counted(all.size(), "volume") + " attached, to be detached by force."))
                .awaits(
                        all.isEmpty() ? "administrator" : "attach-detach controller",
                        all.isEmpty()
                                ? "the node to come back, and the taint to be removed"
                                : "its volumes to be detached",
                        ExplainedNodes.since(node));
        if (all.isEmpty() || node.isReady()) {
            findings.remedy(
                    RemedyKind.BACK_IN_SERVICE,
                    "When the machine was started again, remove the taint.",
                    new RemedyAction.OutOfService(name, false));
        }
    }

    private void notReady(List<VolumeAttachment> all) {
        List<Pod> users = all.stream()
                .flatMap(attachment -> ExplainedNodes.volumeOf(attachment).stream())
                .flatMap(volume -> ExplainedNodes.users(snapshot, volume, name).stream())
                .distinct()
                .toList();
        String kept = all.isEmpty()
                ? "No volume is attached to it."
                : counted(all.size(), "volume") + (all.size() == 1 ? " stays" : " stay")
                        + " attached, since it is unknown whether "
                        + (users.isEmpty()
                                ? "a process there still writes."
                                : ExplainedNodes.names(users) + (users.size() == 1 ? " still runs." : " still run."));
        findings.cause(CauseCode.NODE_NOT_READY, "It is not ready" + ExplainedNodes.how(node) + ". " + kept)
                .awaits("node " + name, "it to be ready", ExplainedNodes.since(node))
                .remedy(
                        RemedyKind.LOOK,
                        "Bring the node back: look at its agent and its machine.",
                        new RemedyAction.Look("kubectl describe node " + ShellWords.quoted(name)));
        if (!all.isEmpty()) {
            findings.remedy(
                    RemedyKind.OUT_OF_SERVICE,
                    "Only if the machine is off and stays off: say so. Its volumes are then detached by force. If a process"
                            + " there still writes, data is lost.",
                    new RemedyAction.OutOfService(name, true));
        }
    }

    private void drivers(List<VolumeAttachment> all) {
        Optional<List<CSINodeDriver>> registered = snapshot.get(Kinds.CSI_NODE, ObjectKey.cluster(name))
                .map(found -> found.spec().drivers());
        if (registered.isEmpty() || registered.get().isEmpty()) {
            findings.facts.add("No CSI driver is registered on the node.");
            return;
        }
        registered.get().stream().limit(MOST_DRIVERS).forEach(driver -> {
            long attached = all.stream()
                    .filter(attachment -> attachment.spec().attacher().equals(driver.name()))
                    .count();
            Optional<Long> limit = ExplainedNodes.limit(snapshot, driver.name(), name);
            findings.facts.add("Driver " + driver.name() + " is registered: "
                    + (limit.isPresent()
                            ? attached + " of " + counted(limit.get(), "volume") + " attached"
                                    + (attached >= limit.get() ? "; there is no room for more." : ".")
                            : counted(attached, "volume") + " attached, without a limit."));
        });
        if (registered.get().size() > MOST_DRIVERS) {
            findings.facts.add((registered.get().size() - MOST_DRIVERS) + " more drivers are registered.");
        }
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
