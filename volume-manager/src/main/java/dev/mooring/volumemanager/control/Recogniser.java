// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.control.AdoptionObjects.Named;
import dev.mooring.volumemanager.control.UnknownMounts.Prepared;
import dev.mooring.volumemanager.control.UnknownMounts.Shown;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What record a mount has to have that has none. The plugin says which volume it is, if it recognises its own ({@link Reconstructing});
 * otherwise the cluster does, by the place, and then the record says that nothing is known to be done: whoever goes on with such a
 * record, or undoes it, asks the plugin, which has to find that the mount is this volume's or leaves it alone. Where both know they have
 * to agree.
 */
final class Recogniser {
    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final Function<Path, OperationContext> contexts;

    Recogniser(NodeConfig config, PluginRegistry plugins, Function<Path, OperationContext> contexts) {
        this.config = config;
        this.plugins = plugins;
        this.contexts = contexts;
    }

    /**
     * A record, or why there is none.
     *
     * @param entry the record; absent if it cannot be told
     * @param why for people; empty if there is a record
     */
    record Verdict(Optional<RecordEntry> entry, String why) {
        static Verdict of(RecordEntry entry) {
            return new Verdict(Optional.of(entry), "");
        }

        static Verdict none(String why) {
            return new Verdict(Optional.empty(), why);
        }
    }

    // ---- what pods have ----

    Verdict shown(Shown mount, StoragePlugin plugin, MountTable table, AdoptionObjects objects) {
        Optional<Pod> pod = objects.pod(mount.podUid());
        Optional<Named> named = pod.isPresent()
                ? objects.wanted(pod.get(), mount.name(), plugin, plugins)
                : ofPodThatIsGone(mount, plugin, objects);
        if (pod.isPresent() && named.isEmpty()) {
            return Verdict.none("its pod does not ask for it");
        }
        Outcome<Recognised> answer = recognised(plugin, mount.entry());
        Optional<Recognised> own = answer.result();
        Optional<VolumeId> id = own.map(Recognised::id).or(() -> named.map(Named::id));
        if (id.isEmpty()) {
            return Verdict.none(answer.message());
        }
        if (named.filter(found -> !found.id().equals(id.get())).isPresent()) {
            return Verdict.none("it is " + id.get() + ", and its place is that of "
                    + named.map(Named::id).orElseThrow());
        }
        return Verdict.of(new Publish(
                pod.map(Recogniser::refOf).orElseGet(() -> new PodRef("", "", mount.podUid())),
                named.flatMap(Named::podVolume).orElseGet(() -> nameInPod(mount, table)),
                named.map(Named::volume).orElseGet(mount::name),
                id.get(),
                Optional.empty(),
                own.map(Recognised::state).orElse(PluginState.NONE),
                mount.entry().mountPoint(),
                phase(pod),
                config.bootId()));
    }

    /** A pod that is gone may have had the PersistentVolume of that name; what the host makes itself is named by the place. */
    private Optional<Named> ofPodThatIsGone(Shown mount, StoragePlugin plugin, AdoptionObjects objects) {
        if (HostVolumes.provides(plugin)) {
            String volume = mount.podUid() + "/" + mount.name();
            PluginName name = plugin.describe().name();
            VolumeSource source =
                    new VolumeSource(plugin.describe().sourceTypes().get(0), Document.empty());
            VolumeSpec spec = VolumeSpec.inline(mount.name(), "", source);
            return Optional.of(new Named(volume, Optional.of(mount.name()), new VolumeId(name, volume), spec));
        }
        return objects.persistent(plugin, plugins)
                .filter(found -> found.volume().equals(mount.name()))
                .findFirst();
    }

    private static PodRef refOf(Pod pod) {
        return new PodRef(
                pod.metadata().namespace(),
                pod.metadata().name(),
                pod.metadata().uid());
    }

    /** Sub-paths are shown under the name that the volume had in the pod, and go before it. */
    private String nameInPod(Shown mount, MountTable table) {
        Path subPaths = config.root().resolve("pods").resolve(mount.podUid()).resolve("volume-subpaths");
        Set<String> names = table
                .references(mount.entry().device(), mount.entry().root())
                .stream()
                .map(MountEntry::mountPoint)
                .filter(place -> place.startsWith(subPaths) && !place.equals(subPaths))
                .map(place -> subPaths.relativize(place).getName(0).toString())
                .collect(Collectors.toCollection(TreeSet::new));
        return names.size() == 1 ? names.iterator().next() : mount.name();
    }

    /**
     * The uid of a pod that is gone never comes back, so its volumes are undone. Under containers that run nothing is mounted anew; for
     * the others the plugin finds that the mount is right, or says what is wrong.
     */
    private static RecordPhase phase(Optional<Pod> pod) {
        if (pod.isEmpty()) {
            return RecordPhase.UNDO;
        }
        return pod.get().status().mayRun() ? RecordPhase.DONE : RecordPhase.INTENT;
    }

    // ---- what is prepared for pods ----

    Verdict prepared(Prepared mount, AdoptionObjects objects, Collection<? extends RecordEntry> records) {
        StoragePlugin plugin = mount.plugin();
        Path path = mount.entry().mountPoint();
        Outcome<Recognised> answer = recognised(plugin, mount.entry());
        Optional<Recognised> own = answer.result();
        List<Named> volumes = objects.of(plugin, plugins)
                .filter(found -> found.spec().mode() == VolumeMode.FILESYSTEM)
                .filter(found -> own.map(known -> known.id().equals(found.id()))
                        .orElseGet(() -> isPreparedAt(path, plugin, found)))
                .toList();
        Optional<Named> named = volumes.stream()
                .filter(found -> isPreparedAt(path, plugin, found))
                .findFirst()
                .or(() -> volumes.stream().findFirst());
        if (named.isEmpty() && own.isEmpty()) {
            return Verdict.none(answer.message());
        }
        VolumeId id = own.map(Recognised::id).or(() -> named.map(Named::id)).orElseThrow();
        VolumeSpec spec = named.map(Named::spec)
                .orElseGet(() -> VolumeSpec.inline(
                        id.backend(), "", own.map(Recognised::source).orElseThrow()));
        // OBSERVATION: while pods have it nothing is staged (S10); otherwise only the plugin's word counts for DONE.
        boolean done = own.isPresent() || isPublished(id, records);
        return Verdict.of(new Stage(
                named.map(Named::volume).orElseGet(id::backend),
                id,
                objects.reportedName(plugin, spec, id),
                VolumeMode.FILESYSTEM,
                Optional.of(path),
                spec.accessModes(),
                mount.entry().readOnly(),
                own.map(Recognised::state).orElse(PluginState.NONE),
                done ? RecordPhase.DONE : RecordPhase.INTENT,
                config.bootId()));
    }

    private boolean isPreparedAt(Path path, StoragePlugin plugin, Named volume) {
        return HostPaths.of(config.root(), plugin, volume.spec(), volume.id(), "pod")
                .flatMap(HostPaths::staging)
                .filter(path::equals)
                .isPresent();
    }

    private static boolean isPublished(VolumeId id, Collection<? extends RecordEntry> records) {
        return records.stream()
                .anyMatch(entry -> entry.match(publish -> publish.volumeId().equals(id), stage -> false));
    }

    // ---- what the plugin says ----

    private record Recognised(VolumeSource source, VolumeId id, PluginState state) {}

    private Outcome<Recognised> recognised(StoragePlugin plugin, MountEntry mount) {
        Optional<Reconstructing> asked = plugin.capability(Reconstructing.class);
        if (asked.isEmpty()) {
            return unknown(
                    "nothing in the cluster tells which volume it is, and its plugin does not recognise volumes");
        }
        Outcome<Adopted> answer;
        try {
            answer = asked.get().reconstruct(contexts.apply(mount.mountPoint()), mount.mountPoint());
        } catch (RuntimeException | LinkageError defect) {
            // OBSERVATION: one mount that a plugin cannot bear must not keep the node from its work.
            return unknown(
                    "its plugin failed to recognise it: " + defect.getClass().getName());
        }
        return answer.then(adopted -> PluginRegistry.problems(plugin, adopted.source())
                        .isEmpty()
                ? Outcome.done(new Recognised(adopted.source(), plugin.identify(adopted.source()), adopted.state()))
                : unknown("its plugin takes it for a volume that is none: " + adopted.source()));
    }

    private static Outcome<Recognised> unknown(String why) {
        return Outcome.refused(Refusal.NOT_FOUND, why);
    }
}
