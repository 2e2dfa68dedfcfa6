// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.protection;

import dev.mooring.binder.uses.AttributesClassUses;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A VolumeAttributesClass is not deleted while a volume or claim refers to it (semantics/binder §3.3). Unlike upstream, which asks its
 * informers only, it lists both live before it lets the class go.
 */
public final class AttributesClassProtection implements Controller {
    /** The name of this controller. */
    public static final String NAME = "vac-protection";

    private static final String COMPONENT = "vac-protection-controller";
    private static final String CLASS = "class";
    private static final String PROTECT = "protect";
    private static final String RELEASE = "release";
    private static final String LIST_CLAIMS = "list-claims";
    private static final String LIST_VOLUMES = "list-volumes";
    private static final int AFTER_THE_BINDER = 30;

    private final AttributesClassUses uses = new AttributesClassUses();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.VOLUME_ATTRIBUTES_CLASS, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME);
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.VOLUME_ATTRIBUTES_CLASS)) {
            if (change.after().isPresent() && concerns(change.latest().metadata())) {
                mailbox.recheck(new Key(CLASS, change.key()));
            }
            return;
        }
        Set<String> before = change.before().map(AttributesClassUses::named).orElse(Set.of());
        Set<String> after = change.after().map(AttributesClassUses::named).orElse(Set.of());
        uses.update(change.kind().name() + " " + change.key(), before, after);
        // A class that is no longer named may go; one that is named again has nothing to be decided about.
        Set<String> left = new HashSet<>(before);
        left.removeAll(after);
        left.stream().sorted().forEach(name -> mailbox.recheck(new Key(CLASS, ObjectKey.cluster(name))));
    }

    private static boolean concerns(ObjectMeta metadata) {
        return metadata.isDeleting() == metadata.hasFinalizer(Finalizers.VAC_PROTECTION);
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<VolumeAttributesClass> found = situation.caches().get(Kinds.VOLUME_ATTRIBUTES_CLASS, key.object());
        if (found.isEmpty() || !concerns(found.get().metadata())) {
            return Decision.nothing();
        }
        VolumeAttributesClass attributes = found.get();
        if (!attributes.metadata().isDeleting()) {
            return update(PROTECT, attributes, attributes.metadata().withFinalizer(Finalizers.VAC_PROTECTION));
        }
        String name = key.object().name();
        if (uses.any(name)) {
            return Decision.nothing() // the end of the last use posts the key
                    .concerning(Concern.of(Kinds.VOLUME_ATTRIBUTES_CLASS, attributes, "WaitForVolumes", COMPONENT)
                            .asNormal())
                    .waitingFor("the class is deleted when no claim and no volume names it any more");
        }
        Optional<EffectResult> claims = situation.resultOf(LIST_CLAIMS).filter(EffectResult::succeeded);
        Optional<EffectResult> volumes = situation.resultOf(LIST_VOLUMES).filter(EffectResult::succeeded);
        if (claims.isEmpty() || volumes.isEmpty()) {
            Predicate<KubernetesObject> names =
                    object -> AttributesClassUses.named(object).contains(name);
            return Decision.act(
                    new Effect.FindLive<>(LIST_CLAIMS, Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL, names),
                    new Effect.FindLive<>(LIST_VOLUMES, Kinds.PERSISTENT_VOLUME, ListOptions.ALL, names));
        }
        return claims.get().found().isPresent() || volumes.get().found().isPresent()
                // The cache was told otherwise, and may not be told when who names it goes.
                ? Decision.nothing().wakeAfter(Defaults.BACKOFF_LONGEST)
                : update(RELEASE, attributes, attributes.metadata().withoutFinalizer(Finalizers.VAC_PROTECTION));
    }

    private static Decision update(String operation, VolumeAttributesClass attributes, ObjectMeta metadata) {
        return Decision.act(new Effect.Update<>(
                operation, Kinds.VOLUME_ATTRIBUTES_CLASS, new Change<>(attributes, attributes.withMetadata(metadata))));
    }
}
