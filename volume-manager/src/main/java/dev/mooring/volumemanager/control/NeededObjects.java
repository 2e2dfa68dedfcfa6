// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds out which objects the node has to know, one by one, and asks for them. It decides nothing.
 *
 * <pre>
 *   pod of this node ─► its claims ─► their volumes ─► their CSIDrivers
 *   record           ─► its volume ─► the claim that it is bound to
 *   work for here    ─► the volume's claim, class and attributes class, and what it is filled from: a claim with its volume, a snapshot
 *                       with its content
 * </pre>
 *
 * <p>A volume whose pod has gone is known until its last record is. The claim of a volume is needed on account of a record or of work
 * only: otherwise claim and volume would hold each other for ever.
 */
public final class NeededObjects implements Controller, WorkNeeds.KnownSources {
    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final NodeRecords records;
    private final Map<ObjectKey, PersistentVolumeClaim> claims = new TreeMap<>();
    private final Map<ObjectKey, VolumeSnapshot> snapshots = new TreeMap<>();
    private final Map<String, PersistentVolume> volumes = new TreeMap<>();
    private Optional<Mailbox> own = Optional.empty();

    public NeededObjects(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        this.config = config;
        this.plugins = plugins;
        this.records = records;
        records.onPublish(record -> recorded(record.volume()));
        records.onStage(record -> recorded(record.volume()));
    }

    @Override
    public String name() {
        return "needed-objects";
    }

    @Override
    public List<Kind<?>> kinds() {
        return NodeInterest.kindsOfWork(Kinds.CSI_DRIVER, config);
    }

    @Override
    public Interest interest(Kind<?> kind) {
        return NodeInterest.of(kind, config);
    }

    /** What stands in the records is known before anything is undone. */
    @Override
    public void started(Mailbox mailbox) {
        own = Optional.of(mailbox);
        Set<String> names = new LinkedHashSet<>();
        records.all().stream().map(Publish::volume).forEach(names::add);
        records.stages().stream().map(Stage::volume).forEach(names::add);
        names.forEach(this::recorded);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            pod(change.as(Kinds.POD), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            claim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            volume(change.as(Kinds.PERSISTENT_VOLUME), mailbox);
        } else if (change.concerns(Kinds.VOLUME_SNAPSHOT)) {
            snapshot(change.as(Kinds.VOLUME_SNAPSHOT), mailbox);
        }
    }

    private void pod(ObjectChange<Pod> change, Mailbox mailbox) {
        Pod pod = change.latest();
        Set<ObjectName> needed = new LinkedHashSet<>();
        boolean here = pod.spec().nodeName().equals(config.node().name());
        if (here && change.after().isPresent() && !pod.hasEnded()) {
            for (WantedVolume wanted : WantedVolume.of(pod, plugins)) {
                wanted.claim().ifPresent(key -> needed.add(new ObjectName(Kinds.PERSISTENT_VOLUME_CLAIM, key)));
                driver(wanted.inline()).ifPresent(needed::add);
            }
        }
        mailbox.needs("pod " + pod.metadata().uid(), needed);
    }

    private void claim(ObjectChange<PersistentVolumeClaim> change, Mailbox mailbox) {
        change.after().ifPresentOrElse(claim -> claims.put(change.key(), claim), () -> claims.remove(change.key()));
        Optional<ObjectName> volume = change.after()
                .map(claim -> claim.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .map(name -> ObjectName.cluster(Kinds.PERSISTENT_VOLUME, name));
        mailbox.needs("claim " + change.key(), volume.map(Set::of).orElse(Set.of()));
        whatWorkNeeds(mailbox); // of a volume that is made here, the claim says what it is filled with
    }

    private void snapshot(ObjectChange<VolumeSnapshot> change, Mailbox mailbox) {
        change.after()
                .ifPresentOrElse(
                        snapshot -> snapshots.put(change.key(), snapshot), () -> snapshots.remove(change.key()));
        whatWorkNeeds(mailbox);
    }

    private void whatWorkNeeds(Mailbox mailbox) {
        List.copyOf(volumes.values()).stream()
                .filter(found -> WorkNeeds.isAsked(found, config))
                .forEach(found -> whatVolumeNeeds(found, mailbox));
    }

    private void volume(ObjectChange<PersistentVolume> change, Mailbox mailbox) {
        String name = change.key().name();
        if (change.after().isPresent()) {
            volumes.put(name, change.after().get());
            whatVolumeNeeds(change.after().get(), mailbox);
        } else {
            volumes.remove(name);
            mailbox.needs("volume " + name, Set.of());
        }
    }

    private void whatVolumeNeeds(PersistentVolume volume, Mailbox mailbox) {
        Set<ObjectName> needed = new LinkedHashSet<>();
        driver(volume.spec().source()).ifPresent(needed::add);
        if (isRecorded(volume.metadata().name())) {
            volume.spec()
                    .claimRef()
                    .map(ref -> ObjectKey.of(ref.namespace(), ref.name()))
                    .ifPresent(claim -> needed.add(new ObjectName(Kinds.PERSISTENT_VOLUME_CLAIM, claim)));
        }
        if (WorkNeeds.isAsked(volume, config)) {
            needed.addAll(WorkNeeds.of(volume, this));
        }
        mailbox.needs("volume " + volume.metadata().name(), needed);
    }

    private static Optional<ObjectName> driver(Optional<VolumeSource> source) {
        return source.flatMap(CsiSource::of)
                .map(CsiSource::driver)
                .filter(name -> !name.isEmpty())
                .map(name -> ObjectName.cluster(Kinds.CSI_DRIVER, name));
    }

    private boolean isRecorded(String volume) {
        return records.isPublished(volume)
                || records.stages().stream().anyMatch(stage -> stage.volume().equals(volume));
    }

    /** A record has come, changed or gone. The name of a source that is written in a pod has a slash, and no object. */
    private void recorded(String volume) {
        if (volume.indexOf('/') >= 0) {
            return;
        }
        own.ifPresent(mailbox -> {
            mailbox.needs(
                    "record " + volume,
                    isRecorded(volume) ? Set.of(ObjectName.cluster(Kinds.PERSISTENT_VOLUME, volume)) : Set.of());
            Optional.ofNullable(volumes.get(volume)).ifPresent(found -> whatVolumeNeeds(found, mailbox));
        });
    }

    @Override
    public Optional<PersistentVolumeClaim> claim(ObjectKey key) {
        return Optional.ofNullable(claims.get(key));
    }

    @Override
    public Optional<VolumeSnapshot> snapshot(ObjectKey key) {
        return Optional.ofNullable(snapshots.get(key));
    }

    @Override
    public boolean servesSnapshots() {
        return config.snapshots();
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return Decision.nothing();
    }
}
