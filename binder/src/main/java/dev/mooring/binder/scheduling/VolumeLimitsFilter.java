// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.MigratedPlugins;
import dev.mooring.binder.scheduling.Assumption.StaticBinding;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.InTreePlugin;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many volumes of a driver a node takes (semantics/binder §3.9). Pods on their way to the node count like those on it, and a claim that
 * is going to get a volume counts for that volume's driver, whatever its class says, so that no race exceeds the limit (#141076). A
 * function of the view.
 */
final class VolumeLimitsFilter {
    static final String PLUGIN = "NodeVolumeLimits";
    static final String EXCEEDED = "node(s) exceed max volume count";

    /**
     * A volume, counted once however many pods use it.
     *
     * @param driver who serves it
     * @param handle its name for the driver
     */
    record Slot(String driver, String handle) {}

    private VolumeLimitsFilter() {}

    /** Why not, as upstream counts, before any volume is chosen; empty if the node takes the pod's volumes. */
    static Optional<Rejection> check(Pod pod, String node, SchedulingView view) {
        return check(pod, node, List.of(), view);
    }

    /** Why not; empty if the node takes the pod's volumes, those among them that would be chosen. */
    static Optional<Rejection> check(Pod pod, String node, List<StaticBinding> chosen, SchedulingView view) {
        Map<String, Long> limits = limits(node, view);
        if (limits.isEmpty()) {
            return Optional.empty();
        }
        Map<ObjectKey, String> volumes = new HashMap<>();
        if (view.options().reserveAttachSlots()) {
            chosen.forEach(binding -> volumes.put(binding.claim(), binding.volume()));
        }
        Set<Slot> wanted = slots(pod, volumes, view);
        wanted.removeIf(slot -> !limits.containsKey(slot.driver()));
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        Set<Slot> taken = taken(pod, node, view);
        wanted.removeAll(taken);
        Map<String, Long> counts = new HashMap<>();
        taken.forEach(slot -> counts.merge(slot.driver(), 1L, Long::sum));
        for (Slot slot : wanted) {
            long count = counts.merge(slot.driver(), 1L, Long::sum);
            if (count > limits.getOrDefault(slot.driver(), Long.MAX_VALUE)) {
                return Optional.of(Rejection.resolvable(PLUGIN, EXCEEDED));
            }
        }
        return Optional.empty();
    }

    private static Map<String, Long> limits(String node, SchedulingView view) {
        Map<String, Long> limits = new HashMap<>();
        Optional<CSINode> found = view.caches().get(Kinds.CSI_NODE, ObjectKey.cluster(node));
        found.ifPresent(csiNode -> {
            for (CSINodeDriver driver : csiNode.spec().drivers()) {
                driver.allocatable()
                        .flatMap(allocatable -> allocatable.count())
                        .ifPresent(count -> limits.put(driver.name(), count));
            }
        });
        return limits;
    }

    private static Set<Slot> taken(Pod pod, String node, SchedulingView view) {
        Set<Slot> taken = new HashSet<>();
        ObjectKey self = ObjectKey.of(pod);
        for (Pod other : view.pods().on(node)) {
            if (!ObjectKey.of(other).equals(self)) {
                taken.addAll(slots(other, Map.of(), view));
            }
        }
        for (VolumeAttachment attachment : view.indexes().attachmentsOf(node)) {
            attachment
                    .spec()
                    .source()
                    .persistentVolumeName()
                    .flatMap(view::volume)
                    .flatMap(VolumeLimitsFilter::slotOf)
                    .ifPresent(taken::add);
        }
        return taken;
    }

    private static Set<Slot> slots(Pod pod, Map<ObjectKey, String> chosen, SchedulingView view) {
        Set<Slot> slots = new HashSet<>();
        for (ObjectKey key : PlacedPods.claimsOf(pod)) {
            view.claim(key)
                    .flatMap(claim -> slotOf(claim, Optional.ofNullable(chosen.get(key)), view))
                    .ifPresent(slots::add);
        }
        return slots;
    }

    private static Optional<Slot> slotOf(PersistentVolumeClaim claim, Optional<String> chosen, SchedulingView view) {
        Optional<String> volume = Optional.of(claim.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .or(() -> chosen)
                .or(() -> keptFor(claim, view));
        return volume.isPresent()
                ? volume.flatMap(view::volume).flatMap(VolumeLimitsFilter::slotOf)
                : view.classOf(claim)
                        .map(StorageClass::provisioner)
                        .map(name -> MigratedPlugins.UPSTREAM.driverOf(name).orElse(name))
                        .map(driver -> new Slot(driver, "claim " + ObjectKey.of(claim)));
    }

    private static Optional<String> keptFor(PersistentVolumeClaim claim, SchedulingView view) {
        return view.options().reserveAttachSlots() ? view.volumes().keptFor(claim) : Optional.empty();
    }

    private static Optional<Slot> slotOf(PersistentVolume volume) {
        return InTreePlugin.translate(volume)
                .map(InTreePlugin.Translated::source)
                .or(() -> volume.spec().source().flatMap(CsiSource::of))
                .map(source -> new Slot(source.driver(), source.volumeHandle()));
    }
}
