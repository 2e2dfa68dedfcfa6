// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.wanted.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The node's side of the handshake with the attach-detach controller (semantics/attach-and-mount §1.10, S4): after a write that
 * reports the volume in use was acknowledged, a live read has to show it attached, on the same Node object, and another one that its
 * attachment stands. So of a node that begins to use a volume and a controller that detaches it at least one sees the other.
 */
final class Handshake {
    private final NodeConfig config;
    private final InUseReport report;

    Handshake(NodeConfig config, InUseReport report) {
        this.config = config;
        this.report = report;
    }

    /** Whether asking makes sense: it is reported in use and the caches show it attached. A change of the Node wakes who waits for it. */
    boolean mayAsk(Device device, Caches caches) {
        return device.reportedName()
                .map(name -> caches.get(Kinds.NODE, nodeKey())
                        .filter(node -> report.isAcknowledged(name) && shows(node, name))
                        .isPresent())
                .orElse(true);
    }

    /** What it waits for that may not be asked for yet, for people. */
    String waitsFor(Device device, Caches caches) {
        boolean attached = device.reportedName().stream()
                .anyMatch(name -> caches.get(Kinds.NODE, nodeKey())
                        .filter(node -> isAttached(node, name))
                        .isPresent());
        return "volume " + device.volume()
                + (attached ? " is not yet reported in use by node " : " is not attached to node ")
                + config.node().name();
    }

    /** What has to be read live. */
    List<Effect> reads(Device device) {
        List<Effect> reads = new ArrayList<>();
        device.attachment().ifPresent(attachment -> {
            reads.add(new Effect.Read<>(AgentOperations.CHECK_NODE, Kinds.NODE, nodeKey()));
            reads.add(new Effect.Read<>(
                    AgentOperations.CHECK_ATTACHMENT,
                    Kinds.VOLUME_ATTACHMENT,
                    ObjectKey.cluster(attachment.objectName())));
        });
        if (!device.spec().uid().isEmpty()) {
            reads.add(new Effect.Read<>(
                    AgentOperations.CHECK_VOLUME,
                    Kinds.PERSISTENT_VOLUME,
                    ObjectKey.cluster(device.spec().name())));
        }
        return reads;
    }

    /**
     * What the live reads say.
     *
     * @return what the attachment says, in a fixed order and empty if there is none; absent if the volume may not be used now
     */
    Optional<Map<String, String>> judge(Device device, Situation situation) {
        boolean volume = device.spec().uid().isEmpty()
                || read(situation, AgentOperations.CHECK_VOLUME, Kinds.PERSISTENT_VOLUME)
                        .filter(found -> isUsable(found, device))
                        .isPresent();
        boolean node = device.reportedName()
                .map(name -> read(situation, AgentOperations.CHECK_NODE, Kinds.NODE)
                        .filter(found -> shows(found, name))
                        .isPresent())
                .orElse(true);
        if (!volume || !node || device.attachment().isEmpty()) {
            return Optional.<Map<String, String>>of(Map.of()).filter(none -> volume && node);
        }
        return read(situation, AgentOperations.CHECK_ATTACHMENT, Kinds.VOLUME_ATTACHMENT)
                .filter(this::isAttachedHere)
                .map(attachment -> attachment.status().attachmentMetadata());
    }

    /** Whether a live read shows the Node with a volume in use and attached. */
    boolean nodeShows(String name, Situation situation) {
        return read(situation, AgentOperations.CHECK_NODE, Kinds.NODE)
                .filter(node -> shows(node, name))
                .isPresent();
    }

    private boolean shows(Node node, String name) {
        boolean same = config.node().uid().isEmpty()
                || config.node().uid().equals(node.metadata().uid());
        return same && node.status().volumesInUse().contains(name) && isAttached(node, name);
    }

    private static boolean isAttached(Node node, String name) {
        return node.status().volumesAttached().stream()
                .anyMatch(attached -> attached.name().equals(name));
    }

    /** A mere request to detach is taken back, or goes on when the Node says that it has let go: it is no reason not to begin. */
    private boolean isAttachedHere(VolumeAttachment attachment) {
        ObjectMeta metadata = attachment.metadata();
        // An external attacher detaches as soon as the object is deleted; our own controller waits
        // for us, until it writes that it goes about it.
        boolean stands = !metadata.isDeleting() || metadata.hasFinalizer(Finalizers.ATTACHMENT);
        return stands
                && attachment.status().attached()
                && metadata.annotation(Annotations.ATTACHMENT_PHASE)
                        .filter(Annotations.DETACHING::equals)
                        .isEmpty()
                && attachment.spec().nodeName().equals(config.node().name());
    }

    /** The cache may be old: the storage may be about to be reclaimed, or the name may belong to another volume. */
    private static boolean isUsable(PersistentVolume volume, Device device) {
        return volume.metadata().uid().equals(device.spec().uid())
                && volume.spec().claimRef().isPresent()
                && volume.metadata().annotation(Annotations.RECLAIMING).isEmpty()
                && volume.metadata().annotation(NodeIntent.PROVISIONING).isEmpty();
    }

    private static <T extends KubernetesObject> Optional<T> read(Situation situation, String operation, Kind<T> kind) {
        return situation
                .resultOf(operation)
                .filter(EffectResult::succeeded)
                .flatMap(result -> result.<Optional<T>>match(
                        stored -> stored.result()
                                .value()
                                .filter(kind.type()::isInstance)
                                .map(kind.type()::cast),
                        performed -> Optional.empty()));
    }

    private ObjectKey nodeKey() {
        return ObjectKey.cluster(config.node().name());
    }
}
