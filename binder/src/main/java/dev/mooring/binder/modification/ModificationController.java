// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.bound.VolumeServer;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.PluginName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives volumes the attributes that their claims name, by plugins of this process; for any other volume an external resizer does it,
 * and this controller does nothing (semantics/binder §3.5). Only volumes of CSI drivers have classes of attributes (§1.12).
 */
public final class ModificationController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "volume-modification";

    private static final String CLAIM = "claim";
    private static final int AFTER_THE_BINDER = 30;

    private final PluginRegistry plugins;
    private final Set<ObjectKey> unfinished = new TreeSet<>();

    /**
     * Makes the controller.
     *
     * @param plugins the plugins of this process
     */
    public ModificationController(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME, Kinds.VOLUME_ATTRIBUTES_CLASS);
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            observeClaim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            BoundPair.claimOf(change.as(Kinds.PERSISTENT_VOLUME).latest())
                    .filter(unfinished::contains)
                    .ifPresent(claim -> mailbox.recheck(new Key(CLAIM, claim)));
        } else {
            // Few claims are being modified at a time; those that go for another class have nothing to do.
            unfinished.forEach(claim -> mailbox.recheck(new Key(CLAIM, claim)));
        }
    }

    private void observeClaim(ObjectChange<PersistentVolumeClaim> change, Mailbox mailbox) {
        boolean was = unfinished.remove(change.key());
        boolean is = change.after().filter(ModificationController::isUnfinished).isPresent();
        if (is) {
            unfinished.add(change.key());
        }
        Key key = new Key(CLAIM, change.key());
        if (change.origin() != Origin.OWN_WRITE
                && (was || is)
                && !wanted(change.before()).equals(wanted(change.after()))) {
            mailbox.inputChanged(key);
        } else if (was || is) {
            mailbox.recheck(key);
        }
    }

    private static String wanted(Optional<PersistentVolumeClaim> claim) {
        return claim.flatMap(c -> c.spec().volumeAttributesClassName()).orElse("");
    }

    private static boolean isUnfinished(PersistentVolumeClaim claim) {
        ModificationGoal.Facts facts = ModificationGoal.Facts.of(claim);
        return claim.status().phase() == ClaimPhase.BOUND
                && (facts.under().isPresent() || !facts.wanted().equals(facts.current()));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<BoundPair> pair = BoundPair.of(situation.caches(), key.object())
                .filter(bound ->
                        bound.volume().spec().source().flatMap(CsiSource::of).isPresent());
        Optional<PluginName> plugin =
                pair.flatMap(bound -> VolumeServer.with(Modifying.class, plugins, bound.volume()));
        if (plugin.isEmpty()) {
            return Decision.nothing();
        }
        // Whichever claim has the volume by now: what was given to its storage has to be written down.
        return ObjectState.decide(
                        pair.get().volume().metadata().uid(),
                        state,
                        situation,
                        (known, own) -> new ModifyingVolume(pair.get(), plugin.get(), own)
                                .decide(known.map(ModificationState.class::cast).orElse(ModificationState.NONE)))
                .concerning(ModificationEvents.concern(pair.get().claim()));
    }
}
