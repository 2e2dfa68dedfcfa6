// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.clusterstore.collection.CollectionAct;
import dev.mooring.clusterstore.collection.GarbageCollection;
import dev.mooring.clusterstore.collection.GarbageCollection.Located;
import dev.mooring.clusterstore.collection.Member;
import dev.mooring.clusterstore.collection.Ownership;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.runtime.cache.Caches;
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
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Drives {@link GarbageCollection} object by object. Kinds have no mutual order in the caches, so that an owner is not known proves
 * nothing: it is read live, and only an owner that the store does not have, or has with another uid, is absent. That no dependent is
 * known to an owner that orphans them proves nothing either, since an overlooked dependent would be deleted later: they are listed live.
 */
final class GarbageCollector implements Controller {
    private final Kinds all;
    private final KindNames names;
    private final List<Kind<?>> watched;
    private final Ownership ownership = new Ownership();

    GarbageCollector(Kinds kinds) {
        this.all = kinds;
        this.names = new KindNames(kinds);
        this.watched = kinds.all().stream().filter(kind -> kind != Kinds.EVENT).toList();
    }

    @Override
    public String name() {
        return "garbage-collector";
    }

    @Override
    public List<Kind<?>> kinds() {
        return watched;
    }

    // ---- waking ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        Optional<Member> before = change.before().map(object -> Member.of(change.kind(), object));
        Optional<Member> after = change.after().map(object -> Member.of(change.kind(), object));
        before.ifPresent(member -> ownership.remove(member.metadata().uid()));
        after.ifPresent(ownership::put);
        Set<Key> concerned = new LinkedHashSet<>();
        after.filter(GarbageCollector::mayNeedWork).ifPresent(member -> concerned.add(keyOf(member)));
        if (before.isEmpty() || after.isEmpty() || standingChanged(before.get(), after.get())) {
            String uid = change.latest().metadata().uid();
            ownership.dependentsOf(uid).forEach(dependent -> concerned.add(keyOf(dependent)));
        }
        before.ifPresent(member -> addWaitingOwners(member, concerned));
        after.ifPresent(member -> addWaitingOwners(member, concerned));
        for (Key key : concerned) {
            if (change.origin() == Origin.WATCH) {
                mailbox.inputChanged(key);
            } else {
                mailbox.recheck(key);
            }
        }
    }

    private static boolean mayNeedWork(Member member) {
        return !member.metadata().ownerReferences().isEmpty() || waitsForDependents(member);
    }

    private static boolean waitsForDependents(Member member) {
        return member.isDeletingWith(Propagation.ORPHAN) || member.isDeletingWith(Propagation.FOREGROUND);
    }

    private static boolean standingChanged(Member before, Member after) {
        return before.metadata().isDeleting() != after.metadata().isDeleting()
                || !before.metadata().finalizers().equals(after.metadata().finalizers());
    }

    private void addWaitingOwners(Member dependent, Set<Key> concerned) {
        for (OwnerReference reference : dependent.metadata().ownerReferences()) {
            ownership
                    .member(reference.uid())
                    .filter(GarbageCollector::waitsForDependents)
                    .ifPresent(owner -> concerned.add(keyOf(owner)));
        }
    }

    private Key keyOf(Member member) {
        return names.key(member.kind(), member.key());
    }

    // ---- deciding ----

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Kind<?> kind = names.kind(key);
        Optional<Member> member = situation.caches().get(kind, key.object()).map(object -> Member.of(kind, object));
        return member.flatMap(object ->
                        GarbageCollection.decide(all, ownership, object).map(act -> carryOut(object, act, situation)))
                .orElse(Decision.nothing());
    }

    private Decision carryOut(Member object, CollectionAct act, Situation situation) {
        return act.match(
                delete -> whenAbsent(object, delete.absent(), situation, () -> delete(object, delete)),
                drop -> whenAbsent(
                        object,
                        drop.owners().stream()
                                .filter(owner -> ownership.owner(object, owner).isEmpty())
                                .toList(),
                        situation,
                        () -> dropOwners(drop, situation.caches())),
                drop -> drop.finalizer().equals(Propagation.ORPHAN.finalizer())
                        ? whenListed(object, situation, () -> dropFinalizer(drop, situation.caches()))
                        : Decision.act(dropFinalizer(drop, situation.caches())));
    }

    /**
     * Acts if live reads have shown that none of the owners is there. If only some were answered, all are read again: an answer is
     * kept until the next decision only.
     */
    private Decision whenAbsent(Member object, List<OwnerReference> owners, Situation situation, Supplier<Effect> act) {
        List<Effect> reads = new ArrayList<>();
        boolean answered = true;
        for (OwnerReference owner : owners) {
            Located where = GarbageCollection.locate(all, object.metadata().namespace(), owner)
                    .orElseThrow();
            Optional<StoreResult<?>> answer = answerAbout(where, situation);
            if (answer.filter(result -> isThere(result, owner)).isPresent()) {
                return Decision.nothing(); // if it goes after all, its deletion wakes this key
            }
            answered &= answer.isPresent();
            // Each read has a name of its own, so that another read does not end the back-off of a failed one.
            reads.add(new Effect.Read<>("confirm-owner-" + (reads.size() + 1), where.kind(), where.key()));
        }
        return Decision.act(answered ? new Effect[] {act.get()} : reads.toArray(new Effect[0]));
    }

    private static Optional<StoreResult<?>> answerAbout(Located where, Situation situation) {
        for (EffectResult result : situation.results()) {
            if (result instanceof EffectResult.Stored stored
                    && result.effect() instanceof Effect.Read<?> read
                    && read.kind() == where.kind()
                    && read.object().equals(where.key())) {
                boolean told = result.succeeded()
                        || result.storeFailure()
                                .filter(failure -> failure == StoreResult.Failure.NOT_FOUND)
                                .isPresent();
                return told ? Optional.of(stored.result()) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean isThere(StoreResult<?> answer, OwnerReference owner) {
        return answer.value()
                .filter(object -> object instanceof KubernetesObject found
                        && found.metadata().uid().equals(owner.uid()))
                .isPresent();
    }

    /** Acts if live lists have shown everything that could be a dependent; lists it otherwise. */
    private Decision whenListed(Member owner, Situation situation, Supplier<Effect> act) {
        boolean namespaced = owner.kind().namespaced();
        List<Kind<?>> possible = watched.stream()
                .filter(kind -> kind.namespaced() || !namespaced)
                .toList();
        String uid = owner.metadata().uid();
        return LiveLists.of(
                        possible, namespaced ? owner.key().namespace() : "", object -> names(object, uid), situation)
                .map(missing -> Decision.act(missing.toArray(new Effect[0])))
                // What the caches do not show in spite of a list is known as gone, or no watch shows when it goes.
                .orElseGet(() -> LiveLists.foundAny(situation)
                        ? Decision.nothing().wakeAfter(Defaults.BACKOFF_LONGEST)
                        : Decision.act(act.get()));
    }

    private static boolean names(KubernetesObject object, String owner) {
        return object.metadata().ownerReferences().stream()
                .anyMatch(reference -> reference.uid().equals(owner));
    }

    // ---- acting ----

    private static Effect delete(Member object, CollectionAct.Delete act) {
        ObjectMeta metadata = object.metadata();
        DeleteOptions options = DeleteOptions.exactly(act.uid(), Revision.parse(metadata.resourceVersion()))
                .withPropagation(act.propagation());
        return new Effect.Delete<>("collect", object.kind(), object.key(), options);
    }

    private static Effect dropOwners(CollectionAct.DropOwners act, Caches caches) {
        return dropOwners(act.kind(), act, caches);
    }

    private static <T extends KubernetesObject> Effect dropOwners(
            Kind<T> kind, CollectionAct.DropOwners act, Caches caches) {
        T object = caches.get(kind, act.key()).orElseThrow();
        return KindNames.update(
                "drop-owners",
                kind,
                object,
                document -> KindNames.withList(
                        document,
                        Fields.list(document, "metadata", "ownerReferences").stream()
                                .filter(each -> !act.owners().stream()
                                        .anyMatch(owner ->
                                                owner.uid().equals(Fields.text(Fields.asDocument(each), "uid"))))
                                .toList(),
                        "metadata",
                        "ownerReferences"));
    }

    private static Effect dropFinalizer(CollectionAct.DropFinalizer act, Caches caches) {
        return dropFinalizer(act.kind(), act, caches);
    }

    private static <T extends KubernetesObject> Effect dropFinalizer(
            Kind<T> kind, CollectionAct.DropFinalizer act, Caches caches) {
        T object = caches.get(kind, act.key()).orElseThrow();
        List<String> left = object.metadata().finalizers().stream()
                .filter(finalizer -> !finalizer.equals(act.finalizer()))
                .toList();
        return KindNames.update(
                "drop-finalizer",
                kind,
                object,
                document -> KindNames.withList(document, left, "metadata", "finalizers"));
    }
}
