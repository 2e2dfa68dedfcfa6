// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.PodSetup;
import dev.mooring.volumemanager.subpath.SubPathMount;
import dev.mooring.volumemanager.wanted.Device.Attachment;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * From a pod's volume to what a plugin can publish: claim, then volume, bound to each other both ways, then plugin (semantics/
 * attach-and-mount §3.2, §3.5). Pure. Names of other namespaces' objects stand in no answer (S15).
 */
public final class Resolver {
    private final NodeConfig config;
    private final PluginRegistry plugins;

    public Resolver(NodeConfig config, PluginRegistry plugins) {
        this.config = config;
        this.plugins = plugins;
    }

    /**
     * What a pod's volume is.
     *
     * @param begun whether there is a record that the pod has, or is about to have, this volume
     */
    public Resolution resolve(Pod pod, WantedVolume wanted, boolean begun, Caches caches) {
        Optional<String> problem = SubPathMount.problem(pod, wanted.namesIn(pod));
        if (problem.isPresent()) {
            return failed(problem.get());
        }
        if (wanted.inline().isPresent()) {
            Optional<Resolution> unknown = unknownDriver(wanted.inline().get(), caches);
            if (unknown.isPresent()) {
                return unknown.get();
            }
            Optional<String> refused = InlineDriver.problemOf(wanted.inline().get(), caches);
            if (refused.isPresent()) {
                return failed(refused.get());
            }
            VolumeSource source =
                    InlineDriver.named(wanted.inline().get(), pod.metadata().uid(), wanted.name());
            VolumeSpec spec = VolumeSpec.inline(wanted.name(), pod.metadata().namespace(), source(pod, source, caches));
            return published(pod, wanted, spec, pod.metadata().uid() + "/" + wanted.name(), caches);
        }
        ObjectKey key = wanted.claim().orElseThrow();
        Optional<PersistentVolumeClaim> claim = caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
        if (claim.isEmpty()) {
            return absent(Kinds.PERSISTENT_VOLUME_CLAIM, key, caches);
        }
        Optional<Resolution> refused = claimProblem(pod, wanted, begun, claim.get());
        if (refused.isPresent()) {
            return refused.get();
        }
        String name = claim.get().spec().volumeName();
        return caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name))
                .map(volume -> resolve(pod, wanted, claim.get(), volume, caches))
                .orElseGet(() -> absent(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name), caches));
    }

    /** An object that is not in the caches: not there, or not asked for long enough to know. */
    private static Resolution absent(Kind<?> kind, ObjectKey key, Caches caches) {
        return waiting(kind.name().toLowerCase(Locale.ROOT) + " \"" + key.name() + "\" "
                + (caches.knows(kind, key) ? "not found" : "has not been read yet"));
    }

    /** What a driver's object says decides how its volumes are mounted, so nothing is mounted before it is known, or known to be missing. */
    private static Optional<Resolution> unknownDriver(VolumeSource source, Caches caches) {
        return CsiSource.of(source)
                .map(csi -> ObjectKey.cluster(csi.driver()))
                .filter(driver -> !caches.knows(Kinds.CSI_DRIVER, driver))
                .map(driver -> absent(Kinds.CSI_DRIVER, driver, caches));
    }

    private VolumeSource source(Pod pod, VolumeSource written, Caches caches) {
        return plugins.serving(written).filter(HostVolumes::provides).isPresent()
                ? HostVolumes.bounded(written, pod, allocatable(caches))
                : written;
    }

    private Map<String, Quantity> allocatable(Caches caches) {
        return caches.get(Kinds.NODE, ObjectKey.cluster(config.node().name()))
                .map(node -> node.status().allocatable())
                .orElse(Map.of());
    }

    private static Optional<Resolution> claimProblem(
            Pod pod, WantedVolume wanted, boolean begun, PersistentVolumeClaim claim) {
        String name = claim.metadata().name();
        if (wanted.ephemeral()
                && claim.metadata().ownerReferences().stream()
                        .noneMatch(owner -> owner.uid().equals(pod.metadata().uid()))) {
            // A user's claim has the name that the pod's own one would have; its data is not this pod's.
            return Optional.of(failed("persistentvolumeclaim \"" + name + "\" was not created for this pod"));
        }
        boolean isProtected = claim.metadata().hasFinalizer(Finalizers.PVC_PROTECTION)
                && (begun || pod.status().phase() == PodPhase.RUNNING);
        if (claim.metadata().isDeleting() && !isProtected) {
            // Without the finalizer its storage may be reclaimed at any moment. Protection may have listed the pods
            // before this one had
            // a node. A pod that ran was seen there: it goes on, also after its machine was booted, when no record of
            // it stands.
            return Optional.of(failed("persistentvolumeclaim \"" + name + "\" is being deleted"));
        }
        // The annotation is written before the phase; a claim that others have bound may have the phase
        // alone.
        boolean bound = !claim.spec().volumeName().isEmpty()
                && (claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()
                        || claim.status().phase() == ClaimPhase.BOUND);
        return bound ? Optional.empty() : Optional.of(waiting("persistentvolumeclaim \"" + name + "\" is not bound"));
    }

    private Resolution resolve(
            Pod pod, WantedVolume wanted, PersistentVolumeClaim claim, PersistentVolume volume, Caches caches) {
        String name = volume.metadata().name();
        boolean bothWays = volume.spec()
                .claimRef()
                .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                .isPresent();
        if (!bothWays) {
            return failed("persistentvolume \"" + name + "\" is not bound to persistentvolumeclaim \""
                    + claim.metadata().name() + "\"");
        }
        if (volume.metadata().annotation(NodeIntent.PROVISIONING).isPresent()) {
            return waiting("the storage of persistentvolume \"" + name + "\" is being made");
        }
        if (volume.metadata().annotation(Annotations.RECLAIMING).isPresent()) {
            return waiting("the storage of persistentvolume \"" + name + "\" is being reclaimed");
        }
        Optional<Resolution> unreachable =
                volume.spec().nodeAffinity().flatMap(affinity -> reach(affinity, name, caches));
        if (unreachable.isPresent()) {
            return unreachable.get();
        }
        Optional<Resolution> unknown = volume.spec().source().flatMap(source -> unknownDriver(source, caches));
        if (unknown.isPresent()) {
            return unknown.get();
        }
        Optional<VolumeSpec> spec = VolumeSpec.of(volume);
        return spec.isPresent()
                ? published(pod, wanted, spec.get(), name, caches)
                : failed("persistentvolume \"" + name + "\" has no source");
    }

    private Optional<Resolution> reach(VolumeNodeAffinity affinity, String volume, Caches caches) {
        Optional<Node> node =
                caches.get(Kinds.NODE, ObjectKey.cluster(config.node().name()));
        if (node.isEmpty()) {
            return Optional.of(waiting("node \"" + config.node().name() + "\" is not known"));
        }
        return affinity.matches(node.get().metadata().labels())
                ? Optional.empty()
                : Optional.of(failed("the node affinity of persistentvolume \"" + volume + "\" does not allow node \""
                        + config.node().name() + "\""));
    }

    private Resolution published(Pod pod, WantedVolume wanted, VolumeSpec spec, String volume, Caches caches) {
        Optional<StoragePlugin> plugin = plugins.serving(spec.source());
        if (plugin.isEmpty()) {
            return failed(CsiSource.of(spec.source())
                    .map(csi -> "driver name " + csi.driver()
                            + " not found in the list of registered CSI drivers; needed by volume " + spec.name())
                    .orElseGet(() ->
                            "no volume plugin matched source " + spec.source().type() + " of volume " + spec.name()));
        }
        Optional<String> problem = problemOf(plugin.get(), wanted, spec);
        if (problem.isPresent()) {
            return failed(problem.get());
        }
        VolumeId id = HostVolumes.provides(plugin.get())
                ? new VolumeId(plugin.get().describe().name(), volume)
                : plugin.get().identify(spec.source());
        Optional<HostPaths> paths = HostPaths.of(
                config.root(), plugin.get(), spec, id, pod.metadata().uid());
        if (paths.isEmpty()) {
            return failed("the names of pod and volume cannot stand in a path");
        }
        Outcome<Optional<String>> label = label(pod, wanted, plugin.get(), spec, caches);
        if (!label.isDone()) {
            return failed(label.message());
        }
        OptionalInt group = spec.mode() == VolumeMode.FILESYSTEM ? PodSetup.groupOf(pod) : OptionalInt.empty();
        Optional<Device> device = device(plugin.get(), wanted, spec, volume, id, paths.get(), group, caches)
                .map(found -> found.labelled(label.result().orElseThrow()));
        boolean readOnly = wanted.readOnly() || device.filter(Device::readOnly).isPresent();
        return new Resolution.Ready(
                volume,
                id,
                spec,
                paths.get().target(),
                paths.get().deviceMap(),
                readOnly,
                device,
                setup(pod, wanted, spec, caches));
    }

    private static PodSetup setup(Pod pod, WantedVolume wanted, VolumeSpec spec, Caches caches) {
        PodSetup asked = PodSetup.of(pod, wanted.namesIn(pod));
        return GroupPolicy.allows(spec, driver(spec, caches)) ? asked : asked.withoutGroup();
    }

    /** As Kubernetes does by default: only what one pod at a time may have is mounted with a label (semantics/attach-and-mount §3.12). */
    private Outcome<Optional<String>> label(
            Pod pod, WantedVolume wanted, StoragePlugin plugin, VolumeSpec spec, Caches caches) {
        boolean taken = config.seLinux()
                && spec.mode() == VolumeMode.FILESYSTEM
                && spec.accessModes().equals(List.of(AccessMode.READ_WRITE_ONCE_POD))
                && plugin.capability(Staging.class)
                        .filter(staging -> staging.takesSELinuxContext(spec) && isLabelled(spec, caches))
                        .isPresent();
        return taken ? SELinuxLabels.of(pod, wanted.namesIn(pod)) : Outcome.done(Optional.empty());
    }

    /** Of a CSI driver its object says so; without one its volumes are not mounted with a label (semantics/csi §6.9). */
    private static boolean isLabelled(VolumeSpec spec, Caches caches) {
        return CsiSource.of(spec.source()).isEmpty()
                || driver(spec, caches)
                        .flatMap(found -> found.spec().seLinuxMount())
                        .orElse(false);
    }

    private Optional<Device> device(
            StoragePlugin plugin,
            WantedVolume wanted,
            VolumeSpec spec,
            String volume,
            VolumeId id,
            HostPaths paths,
            OptionalInt group,
            Caches caches) {
        if (InlineDriver.makes(spec)) {
            return Optional.empty();
        }
        Optional<Attachment> attachment = plugin.capability(Attaching.class)
                .filter(attaching -> attaching.requiresAttach(spec) && !excused(spec, caches))
                .map(attaching -> attachment(attaching.reportedName(spec, id), spec, id));
        // Storage that several nodes only read is never prepared for writing; a file system would replay
        // its journal on each of them.
        boolean readOnly = spec.uid().isEmpty()
                ? wanted.readOnly()
                : spec.accessModes().equals(List.of(AccessMode.READ_ONLY_MANY));
        return attachment.isPresent() || paths.staging().isPresent()
                ? Optional.of(
                        new Device(volume, id, spec, attachment, paths.staging(), readOnly, Optional.empty(), group))
                : Optional.empty();
    }

    /** A CSI driver may say that its volumes are used without being attached. */
    private static boolean excused(VolumeSpec spec, Caches caches) {
        return driver(spec, caches)
                .flatMap(driver -> driver.spec().attachRequired())
                .filter(required -> !required)
                .isPresent();
    }

    private static Optional<CSIDriver> driver(VolumeSpec spec, Caches caches) {
        return CsiSource.of(spec.source())
                .flatMap(csi -> caches.get(Kinds.CSI_DRIVER, ObjectKey.cluster(csi.driver())));
    }

    private Attachment attachment(String reportedName, VolumeSpec spec, VolumeId id) {
        String node = config.node().name();
        return new Attachment(
                reportedName,
                CsiSource.of(spec.source())
                        .map(csi -> AttachmentNames.of(csi.volumeHandle(), csi.driver(), node))
                        .orElseGet(() ->
                                AttachmentNames.of(id.backend(), id.plugin().value(), node)));
    }

    private static Optional<String> problemOf(StoragePlugin plugin, WantedVolume wanted, VolumeSpec spec) {
        String name = plugin.describe().name().value();
        List<FieldProblem> problems = PluginRegistry.problems(plugin, spec.source());
        if (!problems.isEmpty()) {
            return Optional.of("volume " + spec.name() + ": " + problems.get(0));
        }
        if (wanted.use().modes().stream().anyMatch(use -> use != spec.mode())) {
            return Optional.of("volume " + wanted.name() + " has volumeMode "
                    + spec.mode().wireName() + ", but is specified in "
                    + (spec.mode() == VolumeMode.BLOCK ? "volumeMounts" : "volumeDevices"));
        }
        if (!serves(plugin, spec.mode())) {
            return Optional.of("plugin " + name + " cannot publish volumes of mode "
                    + spec.mode().wireName());
        }
        if (!spec.mountOptions().isEmpty() && !plugin.describe().supportsMountOptions()) {
            return Optional.of("plugin " + name + " does not support mount options");
        }
        return MountOptionRules.problemOf(spec.mountOptions());
    }

    private static boolean serves(StoragePlugin plugin, VolumeMode mode) {
        return switch (mode) {
            case FILESYSTEM -> plugin.capability(Publishing.class).isPresent();
            case BLOCK -> plugin.capability(BlockMapping.class).isPresent();
            case UNKNOWN -> false;
        };
    }

    private static Resolution waiting(String reason) {
        return new Resolution.Waiting(reason);
    }

    private static Resolution failed(String reason) {
        return new Resolution.Failed(reason);
    }
}
