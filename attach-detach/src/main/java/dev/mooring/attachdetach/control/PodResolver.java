// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.InTreePlugin;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which volumes a pod wants attached (semantics/attach-and-mount §1.4). Pure.
 *
 * <p>A volume that was found once and cannot be found now stays wanted as long as the pod lives: what is missing here may only be late,
 * and is no evidence that the pod has let go of it. Nothing more is attached for it, though: its claim may have gone, and its storage with
 * it. The same holds for a pod on a node that this controller no longer attaches for: it keeps what was attached for it.
 */
final class PodResolver {
    /** Set by the node's agent: this controller attaches for it (semantics/attach-and-mount §1.5). */
    static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";

    private final PluginRegistry plugins;

    PodResolver(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    /** Whether this controller attaches for a node. */
    static boolean manages(Node node) {
        return node.metadata().annotation(MANAGED).isPresent();
    }

    /** What the pod wants; empty if no volume of it has ever to be attached. */
    Optional<DesiredByPod> resolve(Pod pod, Optional<DesiredByPod> before, Caches caches) {
        String nodeName = pod.spec().nodeName();
        boolean unmanaged = caches.get(Kinds.NODE, ObjectKey.cluster(nodeName))
                .filter(node -> !manages(node))
                .isPresent();
        if (nodeName.isEmpty() || pod.hasEnded()) {
            return Optional.empty();
        }
        List<DesiredAttachment> wants = new ArrayList<>();
        Set<String> drivers = new TreeSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            Optional<VolumeSpec> spec = spec(pod, volume, caches);
            if (spec.isPresent()) {
                CsiSource.of(spec.get().source()).ifPresent(csi -> drivers.add(csi.driver()));
                attachable(spec.get(), caches)
                        .filter(found -> !unmanaged || isRecorded(found.attachmentTo(nodeName), caches))
                        .map(found -> want(pod, volume, found, unmanaged))
                        .ifPresent(wants::add);
            } else {
                before.flatMap(known -> known.of(pod.metadata().uid(), volume.name()))
                        .map(known -> want(pod, volume, known.volume(), true))
                        .ifPresent(wants::add);
            }
        }
        return wants.isEmpty() && drivers.isEmpty()
                ? Optional.empty()
                : Optional.of(new DesiredByPod(pod.metadata().uid(), wants, drivers));
    }

    /** Why a pod that has not begun may wait for a volume that this controller does not attach, though it serves it. */
    Optional<String> leftToTheNode(Pod pod, Caches caches) {
        String nodeName = pod.spec().nodeName();
        boolean unmanaged = caches.get(Kinds.NODE, ObjectKey.cluster(nodeName))
                .filter(node -> !manages(node))
                .isPresent();
        if (!unmanaged || pod.metadata().isDeleting() || pod.status().phase() != PodPhase.PENDING) {
            return Optional.empty();
        }
        return pod.spec().volumes().stream()
                .flatMap(volume -> spec(pod, volume, caches).stream())
                .flatMap(spec -> attachable(spec, caches).stream())
                .filter(found -> !isRecorded(found.attachmentTo(nodeName), caches))
                .findFirst()
                .map(found -> "volume \"" + found.spec().name() + "\" is not attached by the controller, since node \""
                        + nodeName + "\" has no annotation " + MANAGED
                        + "; its kubelet sets it unless enableControllerAttachDetach is false");
    }

    private static boolean isRecorded(String attachment, Caches caches) {
        return caches.get(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(attachment))
                .isPresent();
    }

    private static DesiredAttachment want(Pod pod, PodVolume volume, Attachable found, boolean remembered) {
        String node = pod.spec().nodeName();
        VolumeSpec spec = found.spec();
        boolean readOnly = volume.claimReadOnly()
                || spec.source()
                        .attributes()
                        .at("readOnly")
                        .filter(Boolean.TRUE::equals)
                        .isPresent();
        return new DesiredAttachment(
                found.attachmentTo(node),
                node,
                ObjectKey.of(pod),
                pod.metadata().uid(),
                volume.name(),
                found,
                spec.uid().isEmpty() ? pod.metadata().uid() + "/" + volume.name() : spec.name(),
                readOnly,
                pod.metadata().isDeleting(),
                remembered);
    }

    private Optional<VolumeSpec> spec(Pod pod, PodVolume volume, Caches caches) {
        Optional<String> claim = volume.claimName(pod.metadata().name());
        if (claim.isPresent()) {
            return caches.get(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            ObjectKey.of(pod.metadata().namespace(), claim.get()))
                    .filter(found -> isFor(found, pod, volume))
                    .filter(found -> found.status().phase() == ClaimPhase.BOUND)
                    .flatMap(found -> volumeOf(found, caches))
                    .flatMap(this::specOf);
        }
        // An inline volume of a CSI driver is made on the node and never attached.
        return volume.source()
                .filter(source -> !source.type().equals(CsiSource.TYPE))
                .map(source -> inline(pod, volume, source));
    }

    private VolumeSpec inline(Pod pod, PodVolume volume, VolumeSource source) {
        VolumeSpec asWritten = VolumeSpec.inline(volume.name(), pod.metadata().namespace(), source);
        return plugins.serving(source).isPresent()
                ? asWritten
                : InTreePlugin.translate(source)
                        .map(known -> asWritten.withSource(known.source().toSource(), known.accessModes()))
                        .orElse(asWritten);
    }

    /**
     * The volume as its driver knows it: one of an in-tree plugin that a CSI driver has taken over is that driver's, unless a
     * plugin here serves it. Empty if a driver has taken it over and cannot read its source.
     */
    Optional<VolumeSpec> specOf(PersistentVolume volume) {
        boolean takenOver =
                volume.metadata().annotation(Annotations.MIGRATED_TO).isPresent();
        boolean servedHere = volume.spec().source().flatMap(plugins::serving).isPresent() && !takenOver;
        Optional<VolumeSpec> asWritten = VolumeSpec.of(volume);
        if (servedHere) {
            return asWritten;
        }
        return InTreePlugin.translate(volume)
                .flatMap(known ->
                        asWritten.map(spec -> spec.withSource(known.source().toSource(), known.accessModes())))
                .or(() -> asWritten.filter(
                        spec -> !takenOver || spec.source().type().equals(CsiSource.TYPE)));
    }

    /** The claim of an ephemeral volume is the pod's own. */
    private static boolean isFor(PersistentVolumeClaim claim, Pod pod, PodVolume volume) {
        return volume.persistentVolumeClaimName().isPresent()
                || claim.metadata().ownerReferences().stream()
                        .anyMatch(owner -> owner.uid().equals(pod.metadata().uid()));
    }

    /** Bound both ways, and its storage is there. */
    private static Optional<PersistentVolume> volumeOf(PersistentVolumeClaim claim, Caches caches) {
        return caches.get(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()))
                .filter(volume -> volume.spec()
                        .claimRef()
                        .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                        .isPresent())
                .filter(volume ->
                        volume.metadata().annotation(NodeIntent.PROVISIONING).isEmpty())
                .filter(volume ->
                        volume.metadata().annotation(Annotations.RECLAIMING).isEmpty());
    }

    /** The volume as something to attach; empty if it need not be attached, or no plugin or driver that is known attaches it. */
    Optional<Attachable> attachable(VolumeSpec spec, Caches caches) {
        boolean notRequired = CsiSource.of(spec.source())
                .flatMap(c -> caches.get(Kinds.CSI_DRIVER, ObjectKey.cluster(c.driver())))
                .flatMap(driver -> driver.spec().attachRequired())
                .filter(required -> !required)
                .isPresent();
        return notRequired ? Optional.empty() : everAttachable(spec);
    }

    /** The same, whether or not its driver still wants volumes attached: what is attached has to be detached. */
    Optional<Attachable> everAttachable(VolumeSpec spec) {
        VolumeSource source = spec.source();
        Optional<CsiSource> csi = CsiSource.of(source);
        if (csi.filter(c -> c.volumeHandle().isEmpty()).isPresent()) {
            return Optional.empty();
        }
        Optional<StoragePlugin> plugin = plugins.serving(source);
        return plugin.isPresent() ? inProcess(plugin.get(), spec, csi) : csi.map(c -> external(c, spec));
    }

    private static Optional<Attachable> inProcess(StoragePlugin plugin, VolumeSpec spec, Optional<CsiSource> csi) {
        if (!PluginRegistry.problems(plugin, spec.source()).isEmpty()) {
            return Optional.empty();
        }
        return plugin.capability(Attaching.class)
                .filter(attaching -> attaching.requiresAttach(spec))
                .map(attaching -> {
                    VolumeId id = plugin.identify(spec.source());
                    return new Attachable(
                            Optional.of(id),
                            id.plugin().value(),
                            csi.map(CsiSource::volumeHandle).orElse(id.backend()),
                            attaching.reportedName(spec, id),
                            Sharing.of(spec, attaching.exclusive(spec)),
                            spec);
                });
    }

    private static Attachable external(CsiSource csi, VolumeSpec spec) {
        return new Attachable(
                Optional.empty(), csi.driver(), csi.volumeHandle(), csi.nameOnNodes(), Sharing.of(spec, false), spec);
    }
}
