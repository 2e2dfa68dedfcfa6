// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeSpecBuilder;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.adoption.AdoptionObjects.Named;
import dev.mooring.volumemanager.adoption.UnknownMounts.Prepared;
import dev.mooring.volumemanager.wanted.HostPaths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What record a device has to have that a host holds for a pod without one (semantics/attach-and-mount §3.7): it is bound to a file that
 * bears the pod's uid, below the directory of its volume. Which volume that is the cluster says by the place, or the plugin by what it
 * finds; where both know they have to agree. The volume's own record comes with it, since a device is nowhere mounted while it is only
 * prepared.
 */
final class RawDevices {
    /** As API servers give them, or kubelets to pods of files. */
    private static final Pattern POD_UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}");

    /** In which directories the devices of CSI drivers are held by the host, and staged by drivers. */
    private static final String HELD = "dev";

    private static final String STAGED = "staging";

    /** The places below the devices of CSI drivers in which the drivers mount. */
    private static final List<String> OF_DRIVERS = List.of("publish", STAGED);

    private final NodeConfig config;
    private final PluginRegistry plugins;

    RawDevices(NodeConfig config, PluginRegistry plugins) {
        this.config = config;
        this.plugins = plugins;
    }

    /** Whether something lies where devices are held: in the place of a volume that the cluster knows, or as kubelets hold them. */
    boolean isOne(Prepared mount, AdoptionObjects objects) {
        return mount.entry().mountPoint().startsWith(mount.directory().resolve(UnknownMounts.DEVICES))
                || mount.directory().endsWith(UnknownMounts.DEVICES)
                || objects.of(mount.plugin(), plugins).anyMatch(found -> isHeldAt(mount, found));
    }

    /** Whether what is bound there can be a device: of a file system that is mounted there one sees the whole, or a directory. */
    static boolean isBound(Prepared mount) {
        return !mount.entry().root().equals("/");
    }

    Verdict judge(Prepared mount, AdoptionObjects objects, Outcome<Recognised> answer) {
        Optional<Recognised> own = answer.result();
        Optional<Pod> pod = objects.pod(podUid(mount));
        Optional<Named> named = (pod.isPresent()
                        ? objects.wanted(pod.get(), mount.plugin(), plugins)
                        : objects.persistent(mount.plugin(), plugins))
                .filter(found -> isHeldAt(mount, found))
                .findFirst();
        if (pod.isPresent() && named.isEmpty()) {
            return Verdict.none("its pod does not ask for it");
        }
        Optional<VolumeId> id = own.map(Recognised::id).or(() -> named.map(Named::id));
        if (id.isEmpty()) {
            return Verdict.unnamed(answer);
        }
        if (named.filter(found -> !found.id().equals(id.get())).isPresent()) {
            return Verdict.none("it is " + id.get() + ", and its place is that of "
                    + named.map(Named::id).orElseThrow());
        }
        VolumeSpec spec = named.map(Named::spec).orElseGet(() -> nameless(mount, own.orElseThrow()));
        List<RecordEntry> entries = new ArrayList<>();
        entries.add(publish(mount, pod, named, id.get(), spec));
        stage(mount, objects, named, id.get(), spec, own).ifPresent(entries::add);
        return new Verdict(entries, "", false);
    }

    /** Whether its name looks as pods' uids do; in the plugins' directories others may have their own. */
    static boolean bearsPodUid(Prepared mount) {
        return POD_UID.matcher(podUid(mount)).matches();
    }

    static String podUid(Prepared mount) {
        return nameOf(mount.entry().mountPoint());
    }

    private static String nameOf(Path path) {
        return Optional.ofNullable(path.getFileName()).orElse(path).toString();
    }

    /** Where the volume's devices are held, also in the directory whose name a kubelet escapes. */
    private boolean isHeldAt(Prepared mount, Named volume) {
        Path own = config.root()
                .resolve("plugins")
                .resolve(mount.plugin().describe().name().value());
        Path escaped = config.root()
                .resolve("plugins")
                .resolve(mount.plugin().describe().name().escaped());
        return paths(mount.plugin(), volume.spec(), volume.id(), podUid(mount))
                .flatMap(HostPaths::deviceMap)
                .filter(map -> Stream.of(map, escaped.resolve(own.relativize(map)))
                                .anyMatch(mount.entry().mountPoint()::equals)
                        || nameOfCsi(mount).equals(Optional.of(volume.spec().name())))
                .isPresent();
    }

    /**
     * The name under which a kubelet keeps the device of a CSI driver, or Mooring, which names it by the volume (semantics/csi §6.5);
     * absent for one that is held as those of other plugins are.
     */
    private static Optional<String> nameOfCsi(Prepared mount) {
        Path below = mount.directory().relativize(mount.entry().mountPoint());
        return below.getNameCount() == 4
                        && below.getName(0).toString().equals(UnknownMounts.DEVICES)
                        && below.getName(2).toString().equals(HELD)
                ? Optional.of(below.getName(1).toString())
                : Optional.empty();
    }

    /**
     * Whether it is what a driver has mounted, for itself, of a device that is recorded: it shows what the host holds, in one of the places
     * that drivers are given.
     */
    static boolean isHeldElsewhere(Prepared mount, MountTable table, Collection<? extends RecordEntry> records) {
        Path devices = mount.directory().resolve(UnknownMounts.DEVICES);
        MountEntry entry = mount.entry();
        return OF_DRIVERS.stream().map(devices::resolve).anyMatch(entry.mountPoint()::startsWith)
                && records.stream()
                        .flatMap(record ->
                                record.match(publish -> publish.deviceMap(), stage -> Optional.<Path>empty()).stream())
                        .filter(map -> map.startsWith(devices))
                        .flatMap(map -> table.top(map).stream())
                        .anyMatch(held -> held.device().equals(entry.device())
                                && held.root().equals(entry.root()));
    }

    private Optional<HostPaths> paths(StoragePlugin plugin, VolumeSpec spec, VolumeId id, String podUid) {
        return HostPaths.of(config.root(), plugin, spec, id, podUid);
    }

    /** Its name is lost; that of its directory is as good as any, since there is no link to find by it. */
    private static VolumeSpec nameless(Prepared mount, Recognised own) {
        Path directory = Optional.ofNullable(mount.entry().mountPoint().getParent())
                .orElse(mount.entry().mountPoint());
        VolumeSpec inline = VolumeSpec.inline(nameOfCsi(mount).orElseGet(() -> nameOf(directory)), "", own.source());
        return VolumeSpecBuilder.builder()
                .name(inline.name())
                .uid(inline.uid())
                .source(inline.source())
                .accessModes(inline.accessModes())
                .mode(VolumeMode.BLOCK)
                .capacity(inline.capacity())
                .mountOptions(inline.mountOptions())
                .annotations(inline.annotations())
                .build();
    }

    private Publish publish(Prepared mount, Optional<Pod> pod, Optional<Named> named, VolumeId id, VolumeSpec spec) {
        Path target = config.root()
                .resolve("pods")
                .resolve(podUid(mount))
                .resolve("volumeDevices")
                .resolve(id.plugin().escaped())
                .resolve(spec.name());
        return RecordEntryPublishBuilder.builder()
                .pod(Recogniser.refOf(pod, podUid(mount)))
                .podVolume(named.flatMap(Named::podVolume).orElse(spec.name()))
                .volume(named.map(Named::volume).orElse(spec.name()))
                .volumeId(id)
                .deviceMap(mount.entry().mountPoint())
                .state(PluginState.NONE)
                .target(target)
                .phase(Recogniser.phase(pod))
                .bootId(config.bootId())
                .build();
    }

    /** Where it was prepared: a kubelet prepares the device of a CSI driver elsewhere than Mooring. */
    private static Optional<Path> staging(Prepared mount, Optional<HostPaths> paths) {
        Optional<Path> own = paths.flatMap(HostPaths::staging);
        boolean isOwn = paths.flatMap(HostPaths::deviceMap)
                .filter(mount.entry().mountPoint()::equals)
                .isPresent();
        return isOwn
                ? own
                : own.map(path -> nameOfCsi(mount)
                        .map(name -> mount.directory()
                                .resolve(UnknownMounts.DEVICES)
                                .resolve(STAGED)
                                .resolve(name))
                        .orElse(path));
    }

    /** The pod holds the device by a bind of its own, so nothing is prepared again under it (S10): the record says DONE. */
    private Optional<Stage> stage(
            Prepared mount,
            AdoptionObjects objects,
            Optional<Named> named,
            VolumeId id,
            VolumeSpec spec,
            Optional<Recognised> own) {
        StoragePlugin plugin = mount.plugin();
        Optional<String> reported = objects.reportedName(plugin, spec, id);
        Optional<Path> staging = staging(mount, paths(plugin, spec, id, podUid(mount)));
        boolean concerned = plugin.capability(Staging.class).isPresent()
                || (plugin.capability(Attaching.class).isPresent() && reported.isPresent());
        return !concerned
                ? Optional.empty()
                : Optional.of(RecordEntryStageBuilder.builder()
                        .volume(named.map(Named::volume).orElse(spec.name()))
                        .volumeId(id)
                        .reportedName(reported)
                        .mode(VolumeMode.BLOCK)
                        .stagingPath(staging)
                        .accessModes(spec.accessModes())
                        .state(own.map(Recognised::state).orElse(PluginState.NONE))
                        .phase(RecordPhase.DONE)
                        .bootId(config.bootId())
                        .build());
    }
}
