// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.NodeSignals;
import dev.mooring.volumemanager.wanted.Device;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prepares volumes on this node before the first pod gets them, and undoes it after the last one: one key per {@link VolumeId}, for the
 * volumes that have to be attached or prepared. What is done about one is the matter of {@link StageDecider}.
 */
public final class StagedVolumes extends NodeController {
    private static final String TYPE = "volume";

    private final ObjectKey node;
    private final NodeRecords records;
    private final VolumeNeeds needs;
    private final StageDecider decider;
    private final Set<Key> suspects = new TreeSet<>();

    public StagedVolumes(
            NodeConfig config,
            PluginRegistry plugins,
            NodeRecords records,
            VolumeNeeds needs,
            InUseReport report,
            NodeSignals signals) {
        super(config);
        this.node = ObjectKey.cluster(config.node().name());
        this.records = records;
        this.needs = needs;
        this.decider = new StageDecider(config, plugins, new Handshake(config, report));
        needs.onChange(this::needChanged);
        signals.drivers().listen(() -> records.stages().forEach(stage -> inputChanged(key(stage.volumeId()))));
        signals.mounts()
                .listen(change -> change.gone()
                        .forEach(path -> records.stagedAt(path)
                                .filter(record -> record.phase() != RecordPhase.UNDO)
                                .ifPresent(record -> {
                                    suspects.add(key(record.volumeId()));
                                    recheck(key(record.volumeId()));
                                })));
        records.onPublish(record -> {
            if (!records.isPublished(record.volumeId())) {
                recheckKnown(record.volumeId());
            }
        });
        report.onSettled(names -> {
            Set<String> left = new HashSet<>(names);
            needs.reportedNames().stream()
                    .filter(name -> !left.contains(name))
                    .forEach(name -> volumes(name).forEach(this::recheck));
        });
    }

    static Key key(VolumeId volume) {
        return new Key(TYPE, ObjectKey.of(volume.plugin().value(), volume.backend()));
    }

    private static VolumeId volume(Key key) {
        return new VolumeId(
                new PluginName(key.object().namespace()), key.object().name());
    }

    private void needChanged(Optional<VolumeNeed> before, Optional<VolumeNeed> now) {
        Optional<Device> old = before.flatMap(VolumeNeed::device);
        Optional<Device> device = now.flatMap(VolumeNeed::device);
        if (old.isPresent() && device.isPresent() && !old.equals(device)) {
            inputChanged(key(device.get().volumeId()));
        }
        old.ifPresent(gone -> recheck(key(gone.volumeId())));
        device.ifPresent(come -> recheck(key(come.volumeId())));
    }

    private Set<Key> volumes(String reportedName) {
        Set<Key> keys = new TreeSet<>();
        needs.reporting(reportedName).forEach(need -> keys.add(key(need.volumeId())));
        return keys;
    }

    private void recheckKnown(VolumeId volume) {
        if (records.stage(volume).isPresent()) {
            recheck(key(volume));
        }
    }

    @Override
    public String name() {
        return "staged-volumes";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    }

    /** Records of an earlier process may be about volumes that no object will ever name again. */
    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        for (Stage record : List.copyOf(records.stages())) {
            mailbox.recheck(key(record.volumeId()));
        }
    }

    /** Of a Node only what it says of volumes that are needed wakes a key. */
    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.NODE) && change.key().equals(node)) {
            for (String name : NodeVolumes.changed(change.as(Kinds.NODE))) {
                for (Key key : volumes(name)) {
                    if (change.origin() == Origin.WATCH) {
                        mailbox.inputChanged(key);
                    } else {
                        mailbox.recheck(key);
                    }
                }
            }
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        VolumeId volume = volume(key);
        StageState before = state.map(StageState.class::cast)
                .orElseGet(() -> StageState.of(
                        records.stage(volume).isPresent() ? records.replayedStage(volume) : Optional.empty()));
        List<VolumeNeed> wanted = needs.of(volume).stream()
                .filter(need -> need.device().isPresent())
                .toList();
        return decider.decide(
                before, suspects.contains(key), new StageUse(wanted, records.isPublished(volume)), situation);
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        suspects.remove(key);
        VolumeId volume = volume(key);
        Optional<Stage> standing = after.map(StageState.class::cast).flatMap(StageState::standing);
        records.learnStage(volume, standing);
    }
}
