// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.mount.RecordedMounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lets the node's file systems follow volumes that became larger while they are used here: one key per PersistentVolume that a pod has.
 * What is done about one is the matter of {@link GrowthDecider}.
 */
public final class VolumeGrowth extends NodeController {
    private static final String TYPE = "volume-size";

    private final PluginRegistry plugins;
    private final NodeRecords records;
    private final GrowthDecider decider;
    private final Map<String, ObjectState> states = new HashMap<>();
    private final List<Consumer<String>> listeners = new ArrayList<>();

    public VolumeGrowth(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        super(config);
        this.plugins = plugins;
        this.records = records;
        this.decider = new GrowthDecider(config);
        records.onPublish(record -> recheck(record.volume()));
        records.onStage(record -> recheck(record.volume()));
    }

    /** Asks to be told of every volume about whose size something was decided. */
    void onDecided(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Whether this node still has to make a volume larger that it uses. */
    boolean isOutstanding(String name, Caches caches) {
        Optional<PersistentVolume> volume = caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
        return volume.flatMap(found -> claimOf(found, caches))
                .flatMap(claim -> VolumeSpec.of(volume.get())
                        .flatMap(this::used)
                        .map(used ->
                                GrowthDecider.isOutstanding(known(volume.get(), claim), used, volume.get(), claim)))
                .orElse(false);
    }

    private Optional<GrowthState> known(PersistentVolume volume, PersistentVolumeClaim claim) {
        return Optional.ofNullable(states.get(volume.metadata().name()))
                .filter(state -> state.uid().equals(pair(volume, claim)))
                .flatMap(ObjectState::state)
                .map(GrowthState.class::cast);
    }

    /** Another volume, or another claim of it, may have other storage under the same name. */
    private static String pair(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.metadata().uid() + " " + claim.metadata().uid();
    }

    private static Optional<PersistentVolumeClaim> claimOf(PersistentVolume volume, Caches caches) {
        return volume.spec()
                .claimRef()
                .flatMap(ref -> caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(ref.namespace(), ref.name()))
                        .filter(bound -> bound.metadata().uid().equals(ref.uid())));
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        String volume = key.object().name();
        after.map(ObjectState.class::cast)
                .ifPresentOrElse(state -> states.put(volume, state), () -> states.remove(volume));
        listeners.forEach(listener -> listener.accept(volume));
    }

    /** A source written in a pod never grows; its name has a slash. */
    private void recheck(String volume) {
        if (volume.indexOf('/') < 0) {
            recheck(key(volume));
        }
    }

    private static Key key(String volume) {
        return new Key(TYPE, ObjectKey.cluster(volume));
    }

    @Override
    public String name() {
        return "volume-growth";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        for (Publish record : List.copyOf(records.all())) {
            mailbox.recheck(key(record.volume()));
        }
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            post(change, change.key().name(), mailbox);
        } else {
            String volume =
                    change.as(Kinds.PERSISTENT_VOLUME_CLAIM).latest().spec().volumeName();
            post(change, volume, mailbox);
        }
    }

    private void post(ObjectChange<?> change, String volume, Mailbox mailbox) {
        if (!records.isPublished(volume)) {
            return;
        }
        if (change.origin() == Origin.WATCH && sizeChanged(change)) {
            mailbox.inputChanged(key(volume));
        } else {
            mailbox.recheck(key(volume));
        }
    }

    private static boolean sizeChanged(ObjectChange<?> change) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            ObjectChange<PersistentVolume> volume = change.as(Kinds.PERSISTENT_VOLUME);
            return !volume.before()
                    .map(PersistentVolume::spec)
                    .equals(volume.after().map(PersistentVolume::spec));
        }
        ObjectChange<PersistentVolumeClaim> claim = change.as(Kinds.PERSISTENT_VOLUME_CLAIM);
        return !claim.before().map(VolumeGrowth::asked).equals(claim.after().map(VolumeGrowth::asked));
    }

    private static List<Object> asked(PersistentVolumeClaim claim) {
        return List.of(claim.spec(), GrowthMarks.allocated(claim), GrowthMarks.status(claim));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<PersistentVolume> volume = situation.caches().get(Kinds.PERSISTENT_VOLUME, key.object());
        Optional<PersistentVolumeClaim> claim = volume.flatMap(found -> claimOf(found, situation.caches()));
        if (claim.isEmpty()) {
            return Decision.nothing();
        }
        return VolumeSpec.of(volume.get())
                .flatMap(spec -> used(spec))
                .map(used -> ObjectState.decide(
                                pair(volume.get(), claim.get()),
                                state,
                                situation,
                                (known, own) -> decider.decide(
                                        known.map(GrowthState.class::cast), used, volume.get(), claim.get(), own))
                        .concerning(Concern.of(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                claim.get(),
                                "FileSystemResizeFailed",
                                PodVolumeDecider.COMPONENT)))
                .orElse(Decision.nothing());
    }

    /** The volume as this node uses it; empty if it does not, or if nothing can be made larger here. */
    private Optional<GrowthDecider.Used> used(VolumeSpec spec) {
        Optional<StoragePlugin> plugin = plugins.serving(spec.source())
                .filter(found -> found.capability(NodeExpanding.class).isPresent())
                .filter(found -> PluginRegistry.problems(found, spec.source()).isEmpty());
        return plugin.flatMap(found -> used(spec, found.identify(spec.source())));
    }

    private Optional<GrowthDecider.Used> used(VolumeSpec spec, VolumeId id) {
        List<Publish> published = records.published(id).stream()
                .filter(record ->
                        record.phase() == RecordPhase.DONE && record.bootId().equals(config.bootId()))
                .toList();
        Optional<Stage> stage = records.stage(id);
        boolean leaving =
                stage.filter(record -> record.phase() != RecordPhase.DONE).isPresent();
        if (published.isEmpty() || leaving) {
            return Optional.empty();
        }
        // A plugin may prepare only some volumes, as CSI's does for drivers that stage: the others are where a pod sees
        // them.
        Path path = stage.flatMap(record -> RecordedMounts.mount(plugins, record))
                .orElse(published.get(0).target());
        boolean readOnly = stage.filter(Stage::readOnly).isPresent();
        return Optional.of(new GrowthDecider.Used(
                spec, id, path, readOnly, published.stream().map(Publish::pod).toList()));
    }
}
