// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.PodFields;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What is derived from the caches, so that no filter searches; and which changes can help which pod. Confined to the decider. */
final class SchedulingIndexes {
    static final List<Kind<?>> KINDS = List.of(
            Kinds.PERSISTENT_VOLUME,
            Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.STORAGE_CLASS,
            Kinds.POD,
            Kinds.NODE,
            Kinds.CSI_DRIVER,
            Kinds.CSI_NODE,
            Kinds.CSI_STORAGE_CAPACITY,
            Kinds.VOLUME_ATTACHMENT);

    /** What filters and the scheduler read of pods. */
    static final FieldSelection POD_FIELDS = PodFields.STORAGE.and(FieldSelection.of(
            "metadata.creationTimestamp",
            "spec.affinity.nodeAffinity",
            "spec.nodeSelector",
            "spec.schedulerName",
            "spec.schedulingGates",
            "spec.tolerations"));

    private final StaticVolumes volumes;
    private final PlacedPods pods = new PlacedPods();
    private final AssumeCache assumptions;
    private final Map<String, Map<ObjectKey, VolumeAttachment>> attachments = new HashMap<>();

    SchedulingIndexes(SchedulingOptions options) {
        volumes = new StaticVolumes(options);
        assumptions = new AssumeCache(volumes, pods);
    }

    StaticVolumes volumes() {
        return volumes;
    }

    PlacedPods pods() {
        return pods;
    }

    AssumeCache assumptions() {
        return assumptions;
    }

    Collection<VolumeAttachment> attachmentsOf(String node) {
        return Collections.unmodifiableCollection(
                attachments.getOrDefault(node, Map.of()).values());
    }

    /** Learns of a change; answers with what it can help. */
    Set<QueueingHint> observe(ObjectChange<?> change) {
        Set<QueueingHint> cues = new HashSet<>();
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            observeVolume(change.as(Kinds.PERSISTENT_VOLUME), cues);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            observeClaim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), cues);
        } else if (change.concerns(Kinds.STORAGE_CLASS)) {
            observeClass(change.as(Kinds.STORAGE_CLASS), cues);
        } else if (change.concerns(Kinds.POD)) {
            if (pods.update(change.key(), change.as(Kinds.POD).after())) {
                cues.add(QueueingHint.POD_GONE);
            }
        } else if (change.concerns(Kinds.NODE)) {
            observeNode(change.as(Kinds.NODE), cues);
        } else {
            observeDrivers(change, cues);
        }
        return cues;
    }

    private void observeDrivers(ObjectChange<?> change, Set<QueueingHint> cues) {
        if (change.concerns(Kinds.CSI_DRIVER)) {
            observeDriver(change.as(Kinds.CSI_DRIVER), cues);
        } else if (change.concerns(Kinds.CSI_NODE)) {
            observeLimits(change.as(Kinds.CSI_NODE), cues);
        } else if (change.concerns(Kinds.CSI_STORAGE_CAPACITY)) {
            observeSpace(change.as(Kinds.CSI_STORAGE_CAPACITY), cues);
        } else if (change.concerns(Kinds.VOLUME_ATTACHMENT)) {
            observeAttachment(change.as(Kinds.VOLUME_ATTACHMENT), cues);
        }
    }

    private void observeVolume(ObjectChange<PersistentVolume> change, Set<QueueingHint> cues) {
        String name = change.key().name();
        boolean wasFree = volumes.isFree(name);
        change.after().ifPresentOrElse(volumes::put, () -> volumes.remove(name));
        cues.add(QueueingHint.of(Source.VOLUME, name));
        change.before().flatMap(SchedulingIndexes::claimOf).ifPresent(claim -> cues.add(QueueingHint.claim(claim)));
        change.after().flatMap(SchedulingIndexes::claimOf).ifPresent(claim -> cues.add(QueueingHint.claim(claim)));
        boolean fitsAnew = !wasFree || !sameForMatching(change.before(), change.after());
        if (volumes.isFree(name) && fitsAnew) {
            cues.add(QueueingHint.of(Source.FREE_VOLUME, volumes.classOf(name)));
        }
    }

    private static Optional<ObjectKey> claimOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
    }

    private static boolean sameForMatching(Optional<PersistentVolume> before, Optional<PersistentVolume> after) {
        return before.isPresent()
                && after.isPresent()
                && before.get().spec().equals(after.get().spec())
                && before.get()
                        .metadata()
                        .labels()
                        .equals(after.get().metadata().labels());
    }

    private void observeClaim(ObjectChange<PersistentVolumeClaim> change, Set<QueueingHint> cues) {
        if (assumptions.claimChanged(change.key(), change.after())) {
            String storageClass = StorageClasses.nameOf(change.latest()).orElse("");
            cues.add(QueueingHint.of(Source.SPACE, storageClass));
        }
        cues.add(QueueingHint.claim(change.key()));
    }

    private static void observeClass(ObjectChange<StorageClass> change, Set<QueueingHint> cues) {
        change.after()
                .filter(after -> change.before()
                        .filter(before -> before.allowedTopologies().equals(after.allowedTopologies())
                                && before.provisioner().equals(after.provisioner())
                                && before.volumeBindingMode().equals(after.volumeBindingMode()))
                        .isEmpty())
                .ifPresent(after ->
                        cues.add(QueueingHint.of(Source.CLASS, change.key().name())));
    }

    private static void observeNode(ObjectChange<Node> change, Set<QueueingHint> cues) {
        boolean same = change.before().isPresent()
                && change.after().isPresent()
                && NodeRules.sameForScheduling(
                        change.before().get(), change.after().get());
        if (!same) {
            cues.add(QueueingHint.of(Source.NODE, change.key().name()));
            change.after().ifPresent(node -> cues.add(QueueingHint.ANY_NODE));
        }
    }

    private static void observeDriver(ObjectChange<CSIDriver> change, Set<QueueingHint> cues) {
        boolean kept = change.before()
                .flatMap(driver -> driver.spec().storageCapacity())
                .orElse(false);
        boolean keeps = change.after()
                .flatMap(driver -> driver.spec().storageCapacity())
                .orElse(false);
        if (kept && !keeps) {
            cues.add(QueueingHint.of(Source.DRIVER, change.key().name()));
        }
    }

    private static void observeLimits(ObjectChange<CSINode> change, Set<QueueingHint> cues) {
        boolean same = change.before().isPresent()
                && change.after().isPresent()
                && change.before().get().spec().equals(change.after().get().spec());
        if (!same) {
            cues.add(QueueingHint.SLOT);
        }
    }

    private void observeSpace(ObjectChange<CSIStorageCapacity> change, Set<QueueingHint> cues) {
        boolean kept = assumptions.poolChanged(change.key(), change.after().map(Assumption.Pool::of));
        change.after()
                .filter(after -> kept || offersMore(change.before(), after))
                .ifPresent(after -> cues.add(QueueingHint.of(Source.SPACE, after.storageClassName())));
    }

    private static boolean offersMore(Optional<CSIStorageCapacity> before, CSIStorageCapacity after) {
        return before.isEmpty()
                || !before.get().nodeTopology().equals(after.nodeTopology())
                || isMore(before.get().capacity(), after.capacity())
                || isMore(before.get().maximumVolumeSize(), after.maximumVolumeSize());
    }

    private static boolean isMore(Optional<Quantity> before, Optional<Quantity> after) {
        return after.isPresent() && (before.isEmpty() || before.get().compareTo(after.get()) < 0);
    }

    private void observeAttachment(ObjectChange<VolumeAttachment> change, Set<QueueingHint> cues) {
        change.before()
                .ifPresent(attachment ->
                        attachments.computeIfPresent(attachment.spec().nodeName(), (node, known) -> {
                            known.remove(change.key());
                            return known.isEmpty() ? null : known;
                        }));
        change.after()
                .ifPresentOrElse(
                        attachment -> attachments
                                .computeIfAbsent(attachment.spec().nodeName(), n -> new TreeMap<>())
                                .put(change.key(), attachment),
                        () -> cues.add(QueueingHint.SLOT));
    }

    /** Drops an assumption; answers with what that can help. */
    Set<QueueingHint> dropAssumption(ObjectKey pod, boolean failed) {
        Optional<Assumption> dropped = failed ? assumptions.fail(pod) : assumptions.remove(pod);
        Set<QueueingHint> cues = new HashSet<>();
        dropped.ifPresent(assumption -> {
            assumption.bindings().forEach(binding -> {
                if (volumes.isFree(binding.volume())) {
                    cues.add(QueueingHint.of(Source.FREE_VOLUME, volumes.classOf(binding.volume())));
                }
                cues.add(QueueingHint.claim(binding.claim()));
            });
            assumption.provisions().forEach(provision -> {
                cues.add(QueueingHint.claim(provision.claim()));
                if (failed) {
                    cues.add(QueueingHint.of(Source.SPACE, provision.storageClass()));
                }
            });
            if (failed) {
                cues.add(QueueingHint.POD_GONE);
            }
        });
        return cues;
    }
}
