// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the back-end holds, B(v), and the invariants of semantics/attach-and-mount §7.7 that every call and every step is held against.
 */
final class BackEndTruth {
    private final ClusterStore store;
    private final List<String> violations;
    private final Map<String, Set<String>> nodes = new TreeMap<>();
    private final Set<String> excused = new TreeSet<>();
    private final Set<String> dangling = new TreeSet<>();
    private final Set<String> lost = new TreeSet<>();
    private final Set<String> writesDownWhatIsThere = new TreeSet<>();

    /**
     * Nothing is attached yet.
     *
     * @param violations gets what does not hold
     */
    BackEndTruth(ClusterStore store, List<String> violations) {
        this.store = store;
        this.violations = violations;
    }

    /** The nodes that a volume is really attached to. */
    Set<String> of(String volume) {
        return nodes.getOrDefault(volume, Set.of());
    }

    void apply(Call call) {
        Set<String> there = nodes.computeIfAbsent(call.volume(), volume -> new TreeSet<>());
        switch (call.operation()) {
            case "attach" -> there.add(call.node());
            case "detach" -> {
                there.remove(call.node());
                dangling.remove(call.volume());
            }
            case "compare-attachment" -> {
                if (lost.remove(call.volume() + " " + call.node())) {
                    there.add(call.node());
                }
            }
            case "unfence" -> excused.remove(call.node());
            default -> excused.add(call.node());
        }
    }

    /** The storage has detached it by itself. */
    void lose(String volume, String node) {
        nodes.getOrDefault(volume, new TreeSet<>()).remove(node);
        lost.add(volume + " " + node);
    }

    /** The storage has attached it, and no object says so. */
    void dangle(String volume, String node) {
        dangling.add(volume);
        writesDownWhatIsThere.add(volume);
        nodes.computeIfAbsent(volume, v -> new TreeSet<>()).add(node);
    }

    /** From now on a detachment from this node needs no handshake: there is evidence. */
    void excuse(String node) {
        excused.add(node);
    }

    void guard(Call call) {
        if (!call.operation().equals("detach") || excused.contains(call.node())) {
            return;
        }
        String disk = ((DetachCall) call).id().backend();
        String name = store.get(Kinds.VOLUME_ATTACHMENT, AttachDetachWorld.nameOf(disk, call.node()))
                .value()
                .flatMap(AttachmentAnnotations::of)
                .map(AttachmentAnnotations::reportedName)
                .orElse(AttachDetachObjects.reported(disk));
        store.get(Kinds.NODE, ObjectKey.cluster(call.node())).value().ifPresent(node -> {
            require(
                    !AttachDetachWorld.attachedTo(node).contains(name),
                    "S3 detached while it is listed as attached",
                    call);
            require(!node.status().volumesInUse().contains(name), "S2 detached while it is in use", call);
        });
    }

    void check() {
        List<VolumeAttachment> attachments =
                store.list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL).orThrow().items();
        for (Map.Entry<String, Set<String>> volume : nodes.entrySet()) {
            if (dangling.contains(volume.getKey())) {
                continue;
            }
            boolean single = !volume.getKey().startsWith("shared");
            require(!single || volume.getValue().size() <= 1, "S1 attached twice", volume);
            for (String node : volume.getValue()) {
                require(
                        attachments.stream().anyMatch(va -> va.spec().nodeName().equals(node)),
                        "S1 attached and no object says so",
                        volume);
            }
            Set<String> occupied = new TreeSet<>();
            attachments.stream()
                    .filter(va -> va.spec().source().persistentVolumeName().equals(Optional.of(volume.getKey())))
                    .forEach(va -> occupied.add(va.spec().nodeName()));
            boolean found = writesDownWhatIsThere.contains(volume.getKey());
            require(!single || found || occupied.size() <= 1, "S1 two attachments occupy one slot", occupied);
        }
        for (Node node : store.list(Kinds.NODE, ListOptions.ALL).orThrow().items()) {
            for (String listed : AttachDetachWorld.attachedTo(node)) {
                boolean confirmed = attachments.stream()
                        .filter(va ->
                                va.spec().nodeName().equals(node.metadata().name()))
                        .filter(va -> AttachmentAnnotations.of(va)
                                .filter(m -> m.reportedName().equals(listed))
                                .isPresent())
                        .anyMatch(va -> va.status().attached()
                                && !AttachmentAnnotations.of(va).orElseThrow().detaching());
                require(confirmed || listed.startsWith("foreign"), "S6 listed but not confirmed", listed);
            }
        }
    }

    private void require(boolean holds, String rule, Object about) {
        if (!holds) {
            violations.add(rule + ": " + about);
        }
    }
}
