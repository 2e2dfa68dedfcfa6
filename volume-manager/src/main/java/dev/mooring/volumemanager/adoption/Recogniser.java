// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
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
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.adoption.AdoptionObjects.Named;
import dev.mooring.volumemanager.adoption.UnknownMounts.Prepared;
import dev.mooring.volumemanager.adoption.UnknownMounts.Shown;
import dev.mooring.volumemanager.wanted.HostPaths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What record a mount has to have that has none. The plugin says which volume it is, if it recognises its own ({@link Reconstructing});
 * otherwise the cluster does, by the place, and then the record says that nothing is known to be done: what goes on with such a
 * record, or undoes it, asks the plugin, which has to find that the mount is this volume's or leaves it alone. Where both know they have
 * to agree.
 */
final class Recogniser {
    /** Of a volume that is known by another mount than the one that is asked about only the identity counts. */
    private static final VolumeSource NO_SOURCE = new VolumeSource("", Document.empty());

    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final Function<Path, OperationContext> contexts;
    private final RawDevices devices;

    Recogniser(NodeConfig config, PluginRegistry plugins, Function<Path, OperationContext> contexts) {
        this.config = config;
        this.plugins = plugins;
        this.contexts = contexts;
        this.devices = new RawDevices(config, plugins);
    }

    // ---- what pods have ----

    Verdict shown(
            Shown mount,
            StoragePlugin plugin,
            MountTable table,
            AdoptionObjects objects,
            Collection<? extends RecordEntry> records) {
        Optional<Pod> pod = objects.pod(mount.podUid());
        Optional<Named> named = pod.isPresent()
                ? objects.wanted(pod.get(), mount.name(), plugin, plugins)
                : ofPodThatIsGone(mount, plugin, objects);
        if (pod.isPresent() && named.isEmpty()) {
            return Verdict.none("its pod does not ask for it");
        }
        Outcome<Recognised> answer = Recognised.at(mount.entry().mountPoint(), plugin, contexts);
        Optional<Recognised> own = answer.result()
                .or(() -> named.isPresent() ? Optional.empty() : ofPrepared(mount.entry(), plugin, table, records));
        Optional<VolumeId> id = own.map(Recognised::id).or(() -> named.map(Named::id));
        if (id.isEmpty()) {
            return Verdict.unnamed(answer);
        }
        if (named.filter(found -> !found.id().equals(id.get())).isPresent()) {
            return Verdict.none("it is " + id.get() + ", and its place is that of "
                    + named.map(Named::id).orElseThrow());
        }
        List<RecordEntry> entries = new ArrayList<>();
        entries.add(RecordEntryPublishBuilder.builder()
                .pod(refOf(pod, mount.podUid()))
                .podVolume(named.flatMap(Named::podVolume).orElseGet(() -> nameInPod(mount, table)))
                .volume(named.map(Named::volume).orElseGet(mount::name))
                .volumeId(id.get())
                .state(own.map(Recognised::state).orElse(PluginState.NONE))
                .target(mount.entry().mountPoint())
                .phase(phase(pod))
                .bootId(config.bootId())
                .build());
        named.flatMap(found -> attached(plugin, found, objects)).ifPresent(entries::add);
        return new Verdict(entries, "", false);
    }

    /** What is attached and nowhere prepared is in use as long as this record stands (S5). */
    private Optional<Stage> attached(StoragePlugin plugin, Named named, AdoptionObjects objects) {
        if (plugin.capability(Staging.class).isPresent()) {
            return Optional.empty();
        }
        VolumeSpec spec = named.spec();
        return objects.reportedName(plugin, spec, named.id())
                .map(reported -> RecordEntryStageBuilder.builder()
                        .volume(named.volume())
                        .volumeId(named.id())
                        .reportedName(reported)
                        .mode(spec.mode())
                        .accessModes(spec.accessModes())
                        .state(PluginState.NONE)
                        .phase(RecordPhase.DONE)
                        .bootId(config.bootId())
                        .build());
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

    /** What shows the same as something that is prepared is that volume, whatever it was called. */
    private Optional<Recognised> ofPrepared(
            MountEntry mount, StoragePlugin plugin, MountTable table, Collection<? extends RecordEntry> records) {
        Path directory = config.root()
                .resolve("plugins")
                .resolve(plugin.describe().name().value());
        for (MountEntry prepared : table.below(directory)) {
            if (mount.showsWithin(prepared.device(), prepared.root())) {
                Path place = prepared.mountPoint();
                Optional<VolumeId> recorded = records.stream()
                        .filter(entry -> entry.<Boolean>match(
                                publish -> false,
                                stage -> stage.stagingPath()
                                        .filter(place::equals)
                                        .isPresent()))
                        .<VolumeId>map(RecordEntry::volumeId)
                        .findFirst();
                Optional<Recognised> known = recorded.or(() ->
                                Recognised.at(place, plugin, contexts).result().map(Recognised::id))
                        .map(id -> new Recognised(NO_SOURCE, id, PluginState.NONE));
                if (known.isPresent()) {
                    return known;
                }
            }
        }
        return Optional.empty();
    }

    static PodRef refOf(Optional<Pod> pod, String podUid) {
        return new PodRef(
                pod.map(found -> found.metadata().namespace()).orElse(""),
                pod.map(found -> found.metadata().name()).orElse(""),
                podUid);
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
     * The uid of a pod that is gone never comes back, so its volumes are undone. Under containers that run nothing is mounted again; for
     * the others the plugin finds that the mount is right, or says what is wrong.
     */
    static RecordPhase phase(Optional<Pod> pod) {
        if (pod.isEmpty()) {
            return RecordPhase.UNDO;
        }
        return pod.get().status().mayRun() ? RecordPhase.DONE : RecordPhase.INTENT;
    }

    // ---- what is held or prepared for pods ----

    boolean isDevice(Prepared mount, AdoptionObjects objects) {
        return devices.isOne(mount, objects);
    }

    Verdict held(Prepared device, AdoptionObjects objects) {
        return RawDevices.isBound(device)
                ? devices.judge(device, objects, Recognised.at(device.entry().mountPoint(), device.plugin(), contexts))
                : Verdict.none("it is mounted where a raw device belongs, and is not one");
    }

    Verdict prepared(Prepared mount, AdoptionObjects objects, Collection<? extends RecordEntry> records) {
        StoragePlugin plugin = mount.plugin();
        Path path = mount.entry().mountPoint();
        Outcome<Recognised> answer = Recognised.at(path, plugin, contexts);
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
        // While pods have it nothing is staged (S10); otherwise only the plugin's word counts for DONE.
        boolean done = own.isPresent() || isPublished(id, records);
        return Verdict.of(RecordEntryStageBuilder.builder()
                .volume(named.map(Named::volume).orElseGet(id::backend))
                .volumeId(id)
                .reportedName(objects.reportedName(plugin, spec, id))
                .mode(VolumeMode.FILESYSTEM)
                .stagingPath(path)
                .accessModes(spec.accessModes())
                .readOnly(mount.entry().readOnly())
                .state(own.map(Recognised::state).orElse(PluginState.NONE))
                .phase(done ? RecordPhase.DONE : RecordPhase.INTENT)
                .bootId(config.bootId())
                .build());
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
}
