// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Namespace;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Empties a namespace that is deleted, and takes its finalizer {@code kubernetes} out when live lists have found it empty. Content
 * goes as by a user's deletion: finalizers and the grace of pods are honoured. A live read of the namespace comes before the
 * deletions, so that content of a new namespace under the same name is never taken for that of the old one.
 */
final class NamespaceTermination implements Controller {
    private static final String TYPE = "namespace";
    private static final String FINALIZER = "kubernetes";
    private static final String TERMINATING = "Terminating";
    private static final int DELETIONS_AT_ONCE = 100;

    private final KindNames names;
    private final List<Kind<?>> watched;
    private final List<Kind<?>> contentKinds;
    private final Multimap<String, Key> contents = new Multimap<>();
    /** The part of the contents that is not deleted yet. */
    private final Multimap<String, Key> living = new Multimap<>();

    private final Set<Key> ending = new HashSet<>();

    NamespaceTermination(Kinds kinds) {
        this.names = new KindNames(kinds);
        this.contentKinds = kinds.all().stream().filter(Kind::namespaced).toList();
        List<Kind<?>> all = new ArrayList<>(contentKinds);
        all.add(Kinds.NAMESPACE);
        this.watched = List.copyOf(all);
    }

    @Override
    public String name() {
        return TYPE;
    }

    @Override
    public List<Kind<?>> kinds() {
        return watched;
    }

    private static Key keyOf(String namespace) {
        return new Key(TYPE, ObjectKey.cluster(namespace));
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.NAMESPACE)) {
            Key key = keyOf(change.key().name());
            if (change.after().filter(after -> after.metadata().isDeleting()).isPresent()) {
                ending.add(key);
                post(change, key, mailbox);
            } else {
                ending.remove(key);
            }
            return;
        }
        note(change);
        Key key = keyOf(change.key().namespace());
        boolean cameOrWent = change.before().isEmpty() || change.after().isEmpty();
        if (cameOrWent && ending.contains(key)) {
            post(change, key, mailbox);
        }
    }

    private void note(ObjectChange<?> change) {
        String namespace = change.key().namespace();
        Key key = names.key(change.kind(), change.key());
        note(contents, namespace, key, change.after().isPresent());
        boolean lives =
                change.after().filter(after -> !after.metadata().isDeleting()).isPresent();
        note(living, namespace, key, lives);
    }

    private static void note(Multimap<String, Key> index, String namespace, Key key, boolean belongs) {
        if (belongs) {
            index.add(namespace, key);
        } else {
            index.remove(namespace, key);
        }
    }

    private static void post(ObjectChange<?> change, Key key, Mailbox mailbox) {
        if (change.origin() == Origin.WATCH) {
            mailbox.inputChanged(key);
        } else {
            mailbox.recheck(key);
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Namespace> found = situation
                .caches()
                .get(Kinds.NAMESPACE, key.object())
                .filter(namespace -> namespace.metadata().isDeleting()
                        && namespace.spec().finalizers().contains(FINALIZER));
        if (found.isEmpty()) {
            return Decision.nothing();
        }
        Namespace namespace = found.get();
        if (!namespace.status().phase().equals(TERMINATING)) {
            return Decision.act(new Effect.UpdateStatus<>(
                    "show-namespace-phase",
                    Kinds.NAMESPACE,
                    new Change<>(
                            namespace, namespace.withStatus(namespace.status().withPhase(TERMINATING)))));
        }
        String name = namespace.metadata().name();
        if (contents.hasAny(name)) {
            return empty(namespace, situation);
        }
        return LiveLists.of(contentKinds, name, anything -> true, situation)
                .map(lists -> Decision.act(lists.toArray(new Effect[0])))
                // An object of the lists may have gone already: its deletion may have come while they were read.
                .orElseGet(() -> LiveLists.foundAny(situation)
                        ? Decision.nothing().wakeAfter(Defaults.BACKOFF_LONGEST)
                        : finish(namespace));
    }

    private Decision empty(Namespace namespace, Situation situation) {
        List<Effect> deletions = deletions(namespace.metadata().name(), situation);
        if (deletions.isEmpty()) {
            return Decision.nothing(); // all of it is on its way out; what goes wakes this key
        }
        boolean confirmed = situation
                .resultOf("confirm-namespace")
                .filter(result -> isSame(result, namespace))
                .isPresent();
        return Decision.act(
                confirmed
                        ? deletions.toArray(new Effect[0])
                        : new Effect[] {new Effect.Read<>("confirm-namespace", Kinds.NAMESPACE, ObjectKey.of(namespace))
                        });
    }

    private static boolean isSame(EffectResult result, Namespace namespace) {
        return result.match(
                stored -> stored.result()
                        .value()
                        .filter(value -> value instanceof Namespace live
                                && live.metadata().isDeleting()
                                && live.metadata()
                                        .uid()
                                        .equals(namespace.metadata().uid()))
                        .isPresent(),
                performed -> false);
    }

    private List<Effect> deletions(String namespace, Situation situation) {
        List<Effect> deletions = new ArrayList<>();
        for (Key content : living.of(namespace)) {
            names.find(content, situation.caches()).ifPresent(object -> deletions.add(delete(content, object)));
            if (deletions.size() == DELETIONS_AT_ONCE) {
                break; // their results wake the key
            }
        }
        return deletions;
    }

    private Effect delete(Key content, KubernetesObject object) {
        DeleteOptions options = DeleteOptions.ofUid(object.metadata().uid());
        return new Effect.Delete<>("delete-content", names.kind(content), content.object(), options);
    }

    private static Decision finish(Namespace namespace) {
        List<String> left = namespace.spec().finalizers().stream()
                .filter(finalizer -> !finalizer.equals(FINALIZER))
                .toList();
        return Decision.act(new Effect.Update<>(
                "finalize-namespace",
                Kinds.NAMESPACE,
                new Change<>(namespace, namespace.withSpec(namespace.spec().withFinalizers(left)))));
    }
}
