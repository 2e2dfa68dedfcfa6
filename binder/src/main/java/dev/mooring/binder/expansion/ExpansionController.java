// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.bound.VolumeServer;
import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the volumes of claims larger that ask for more than they have: by a plugin of this process, else by telling that an external
 * resizer is awaited (semantics/binder §3.5).
 */
public final class ExpansionController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "expansion";

    private static final String CLAIM = "claim";
    private static final int AFTER_THE_BINDER = 30;

    private final PluginRegistry plugins;
    private final boolean asksOthers;
    /** The class of each claim whose expansion has not ended. */
    private final Map<ObjectKey, String> unfinished = new HashMap<>();

    private final Multimap<String, ObjectKey> ofClass = new Multimap<>();

    /**
     * Makes the controller.
     *
     * @param plugins the plugins of this process
     * @param asksOthers whether external resizers are asked for volumes that no plugin of this process serves
     */
    public ExpansionController(PluginRegistry plugins, boolean asksOthers) {
        this.plugins = plugins;
        this.asksOthers = asksOthers;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME, Kinds.STORAGE_CLASS);
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            observeVolume(change.as(Kinds.PERSISTENT_VOLUME), mailbox);
        } else if (change.concerns(Kinds.STORAGE_CLASS)) {
            observeClass(change.as(Kinds.STORAGE_CLASS), mailbox);
        } else {
            observeClaim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), mailbox);
        }
    }

    /** X1: a request that grew, or a node that has done its part. */
    private void observeClaim(ObjectChange<PersistentVolumeClaim> change, Mailbox mailbox) {
        String classBefore = unfinished.remove(change.key());
        boolean was = classBefore != null;
        if (classBefore != null) {
            ofClass.remove(classBefore, change.key());
        }
        boolean is = change.after().filter(ExpansionController::isUnfinished).isPresent();
        if (is) {
            String className = StorageClasses.nameOf(change.latest()).orElse("");
            unfinished.put(change.key(), className);
            ofClass.add(className, change.key());
        }
        Key key = new Key(CLAIM, change.key());
        boolean asksForElse = change.before()
                .map(c -> c.spec().requestedStorage())
                .filter(asked -> change.after()
                        .filter(c -> c.spec().requestedStorage().equals(asked))
                        .isPresent())
                .isEmpty();
        if (asksForElse && change.origin() != Origin.OWN_WRITE && (was || is)) {
            mailbox.inputChanged(key);
        } else if (was || is) {
            mailbox.recheck(key);
        }
    }

    /** A class that has come to allow expansion, or has ceased to: its claims are asked again. */
    private void observeClass(ObjectChange<StorageClass> change, Mailbox mailbox) {
        boolean same = change.before()
                .flatMap(StorageClass::allowVolumeExpansion)
                .equals(change.after().flatMap(StorageClass::allowVolumeExpansion));
        if (!same) {
            ofClass.of(change.key().name()).forEach(claim -> mailbox.inputChanged(new Key(CLAIM, claim)));
        }
    }

    private static boolean isUnfinished(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.BOUND
                && (ResizeMarks.status(claim) != ResizeStatus.NONE
                        || ResizeMarks.capacity(claim)
                                .filter(has -> has.compareTo(claim.spec().requestedStorage()) < 0)
                                .isPresent());
    }

    private void observeVolume(ObjectChange<PersistentVolume> change, Mailbox mailbox) {
        Optional<ObjectKey> claim = BoundPair.claimOf(change.latest());
        boolean waitsForNode = change.latest()
                .metadata()
                .annotation(Annotations.PRE_RESIZE_CAPACITY)
                .isPresent();
        claim.filter(key -> waitsForNode || unfinished.containsKey(key))
                .ifPresent(key -> mailbox.recheck(new Key(CLAIM, key)));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<BoundPair> pair = BoundPair.of(situation.caches(), key.object());
        if (pair.isEmpty()) {
            return Decision.nothing(); // X2
        }
        ExpansionState known = state.map(ExpansionState.class::cast).orElse(ExpansionState.NONE);
        PersistentVolume volume = pair.get().volume();
        Optional<StoragePlugin> plugin = VolumeServer.of(plugins, volume);
        boolean expands = plugin.filter(server -> expands(server, volume)).isPresent();
        // Storage that another program makes larger: as with a driver that has no controller expansion, only nodes have
        // to act.
        boolean serves = expands
                || plugin.flatMap(server -> server.capability(NodeExpanding.class))
                        .isPresent();
        if (!serves && !asksOthers) {
            return Decision.nothing();
        }
        Decision decision = serves
                ? new Expanding(pair.get(), plugin.orElseThrow().describe().name(), expands, situation).decide(known)
                : HandOver.decide(
                        pair.get(),
                        plugins,
                        ExpansionPermission.allows(pair.get().claim(), situation.caches()),
                        known);
        return decision.concerning(ExpansionEvents.concern(pair.get().claim()));
    }

    private static boolean expands(StoragePlugin plugin, PersistentVolume volume) {
        Optional<VolumeSpec> spec = VolumeSpec.of(volume);
        return spec.isPresent()
                && plugin.capability(ControllerExpanding.class)
                        .filter(expanding -> expanding.expands(spec.get()))
                        .isPresent();
    }
}
