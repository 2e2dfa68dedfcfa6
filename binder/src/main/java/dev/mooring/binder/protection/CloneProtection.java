// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.protection;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Optional;

/**
 * A claim from which others are filled stays until they are made (semantics/csi §8.10). The binder writes the finalizer before it asks a
 * plugin; here it is taken away when no claim that names the source waits any more.
 */
public final class CloneProtection implements Controller {
    /** The name of this controller. */
    public static final String NAME = "clone-protection";

    private static final String COMPONENT = "persistentvolumeclaim-protection-controller";
    private static final String CLAIM = "claim";
    private static final String RELEASE = "release";
    private static final int AFTER_THE_BINDER = 30;

    private final Multimap<ObjectKey, ObjectKey> clones = new Multimap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        ObjectChange<PersistentVolumeClaim> claim = change.as(Kinds.PERSISTENT_VOLUME_CLAIM);
        Optional<ObjectKey> before = claim.before().flatMap(ContentSources::claimNamed);
        Optional<ObjectKey> after = claim.after().flatMap(ContentSources::claimNamed);
        before.ifPresent(source -> clones.remove(source, change.key()));
        after.ifPresent(source -> clones.add(source, change.key()));
        before.or(() -> after).ifPresent(source -> mailbox.recheck(new Key(CLAIM, source)));
        if (claim.after().filter(CloneProtection::isProtected).isPresent()) {
            mailbox.recheck(new Key(CLAIM, change.key()));
        }
    }

    private static boolean isProtected(PersistentVolumeClaim claim) {
        return claim.metadata().hasFinalizer(Finalizers.CLONING_PROTECTION);
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<PersistentVolumeClaim> source = situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, key.object())
                .filter(CloneProtection::isProtected);
        if (source.isEmpty()) {
            return Decision.nothing();
        }
        Optional<ObjectKey> waiting = clones.of(key.object()).stream()
                .sorted()
                .filter(clone -> situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME_CLAIM, clone)
                        .filter(CloneProtection::mayBeFilled)
                        .isPresent())
                .findFirst();
        if (waiting.isPresent() && !source.get().metadata().isDeleting()) {
            return Decision.nothing();
        }
        if (waiting.isPresent()) {
            return Decision.nothing() // a change of that claim posts the key
                    .concerning(Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, source.get(), "WaitForClones", COMPONENT)
                            .asNormal())
                    .waitingFor("the claim stays until claim \"" + waiting.get().name()
                            + "\", which is filled from it, is bound");
        }
        PersistentVolumeClaim claim = source.get();
        return Decision.act(new Effect.Update<>(
                RELEASE,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                new Change<>(
                        claim, claim.withMetadata(claim.metadata().withoutFinalizer(Finalizers.CLONING_PROTECTION)))));
    }

    private static boolean mayBeFilled(PersistentVolumeClaim clone) {
        return clone.status().phase() == ClaimPhase.PENDING || clone.metadata().hasFinalizer(Finalizers.PROVISIONING);
    }
}
