// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the cluster knows of volumes, as it is told live: what was mounted before this process began belongs to a pod that is in the list,
 * or is gone for good, since a uid never comes back.
 */
public record AdoptionObjects(List<Pod> pods, List<PersistentVolume> volumes, List<CSIDriver> drivers) {
    private static final int PAGE = 500;
    private static final String CONFIG_HASH = "kubernetes.io/config.hash";

    /**
     * A volume that the cluster knows.
     *
     * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
     * @param podVolume its name in the pod; absent if no pod is asked about
     * @param id whose storage it is
     * @param spec as the plugin sees it
     */
    record Named(String volume, Optional<String> podVolume, VolumeId id, VolumeSpec spec) {}

    /** Reads the pods of a node, and, since nothing tells whose mounts they are, all volumes of the cluster: page by page, this once. */
    static Outcome<AdoptionObjects> of(ClusterStore store, NodeRef node) {
        return all(store, Kinds.POD, ListOptions.ALL.withFields("spec.nodeName=" + node.name()))
                .then(pods -> all(store, Kinds.PERSISTENT_VOLUME, ListOptions.ALL)
                        .then(volumes -> all(store, Kinds.CSI_DRIVER, ListOptions.ALL)
                                .map(drivers -> new AdoptionObjects(pods, volumes, drivers))));
    }

    private static <T extends KubernetesObject> Outcome<List<T>> all(
            ClusterStore store, Kind<T> kind, ListOptions selected) {
        List<T> objects = new ArrayList<>();
        ListOptions options = selected.withLimit(PAGE);
        while (true) {
            Outcome<ObjectList<T>> page = store.list(kind, options)
                    .match(Outcome::done, failed -> Outcome.deferred(kind.plural() + ": " + failed.message()));
            if (!page.isDone()) {
                return page.map(ObjectList::items);
            }
            ObjectList<T> found = page.result().orElseThrow();
            objects.addAll(found.items());
            if (found.continueToken().isEmpty()) {
                return Outcome.done(List.copyOf(objects));
            }
            options = options.after(found.continueToken());
        }
    }

    Optional<Pod> pod(String uid) {
        return pods.stream().filter(pod -> pod.metadata().uid().equals(uid)).findFirst();
    }

    /**
     * Whether a pod of that uid comes from a file of a node: its directories bear a uid of their own, which only an annotation of the
     * object tells.
     */
    public boolean isOfFile(String uid) {
        return pods.stream().anyMatch(pod -> isOfFile(pod, uid));
    }

    /** The same of one pod. */
    public static boolean isOfFile(Pod pod, String uid) {
        return pod.metadata().annotation(CONFIG_HASH).filter(uid::equals).isPresent();
    }

    /** The volume of a plugin that a pod wants in the place of that name. */
    Optional<Named> wanted(Pod pod, String name, StoragePlugin plugin, PluginRegistry plugins) {
        return wanted(pod, plugin, plugins)
                .filter(found -> found.spec().name().equals(name))
                .findFirst();
    }

    /** The volumes of a plugin that a pod wants. */
    Stream<Named> wanted(Pod pod, StoragePlugin plugin, PluginRegistry plugins) {
        return WantedVolume.of(pod, plugins).stream()
                .flatMap(wanted ->
                        Stream.concat(inline(pod, wanted, plugin, plugins).stream(), claimed(wanted, plugin, plugins)));
    }

    private static Optional<Named> inline(Pod pod, WantedVolume wanted, StoragePlugin plugin, PluginRegistry plugins) {
        String volume = pod.metadata().uid() + "/" + wanted.name();
        return wanted.inline()
                .map(source -> VolumeSpec.inline(wanted.name(), pod.metadata().namespace(), source))
                .filter(spec -> serves(plugin, spec, plugins))
                .map(spec -> new Named(
                        volume,
                        Optional.of(wanted.name()),
                        HostVolumes.provides(plugin)
                                ? new VolumeId(plugin.describe().name(), volume)
                                : plugin.identify(spec.source()),
                        spec));
    }

    private Stream<Named> claimed(WantedVolume wanted, StoragePlugin plugin, PluginRegistry plugins) {
        return wanted.claim().stream()
                .flatMap(claim -> persistent(plugin, plugins).filter(found -> isFor(found.volume(), claim)))
                .map(found -> new Named(found.volume(), Optional.of(wanted.name()), found.id(), found.spec()));
    }

    private boolean isFor(String name, ObjectKey claim) {
        return volumes.stream()
                .filter(volume -> volume.metadata().name().equals(name))
                .flatMap(volume -> volume.spec().claimRef().stream())
                .anyMatch(ref -> claim.equals(ObjectKey.of(ref.namespace(), ref.name())));
    }

    /** Every volume of a plugin: the PersistentVolumes in their order, then those written in pods. */
    Stream<Named> of(StoragePlugin plugin, PluginRegistry plugins) {
        return Stream.concat(
                persistent(plugin, plugins),
                pods.stream()
                        .flatMap(pod -> WantedVolume.of(pod, plugins).stream()
                                .flatMap(wanted -> inline(pod, wanted, plugin, plugins).stream())));
    }

    Stream<Named> persistent(StoragePlugin plugin, PluginRegistry plugins) {
        return volumes.stream()
                .flatMap(volume -> VolumeSpec.of(volume).stream())
                .filter(spec -> serves(plugin, spec, plugins))
                .map(spec -> new Named(spec.name(), Optional.empty(), plugin.identify(spec.source()), spec));
    }

    private static boolean serves(StoragePlugin plugin, VolumeSpec spec, PluginRegistry plugins) {
        return plugins.serving(spec.source()).filter(plugin::equals).isPresent()
                && PluginRegistry.problems(plugin, spec.source()).isEmpty();
    }

    /** Under which name the Node reports a volume in use; absent if it is used without being attached. */
    Optional<String> reportedName(StoragePlugin plugin, VolumeSpec spec, VolumeId id) {
        boolean excused = CsiSource.of(spec.source())
                .flatMap(csi -> drivers.stream()
                        .filter(driver -> driver.metadata().name().equals(csi.driver()))
                        .findFirst())
                .flatMap(driver -> driver.spec().attachRequired())
                .filter(required -> !required)
                .isPresent();
        return plugin.capability(Attaching.class)
                .filter(attaching -> !excused && attaching.requiresAttach(spec))
                .map(attaching -> attaching.reportedName(spec, id));
    }
}
