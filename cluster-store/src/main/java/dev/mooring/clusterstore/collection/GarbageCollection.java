// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.collection;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What becomes of objects whose owners go, as Kubernetes' garbage collector decides it. An object stays as long as one owner is there
 * and does not wait for its dependents; an owner that is deleted in the foreground goes after those dependents that block it; one that
 * orphans them goes after they have lost their references to it. Pure functions.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GarbageCollection {
    private final Kinds kinds;
    private final Ownership ownership;

    private GarbageCollection(Kinds kinds, Ownership ownership) {
        this.kinds = kinds;
        this.ownership = ownership;
    }

    /**
     * Decides about many objects at once.
     *
     * @param kinds the kinds that the objects were collected from: an owner of another kind counts as there; never null
     * @param objects all current objects of those kinds, in the order of the resulting acts; never null
     * @return what to do now, at most one act per object; when that is done, there may be more to do
     */
    public static List<CollectionAct> collect(Kinds kinds, Collection<Member> objects) {
        Ownership ownership = new Ownership();
        objects.forEach(ownership::put);
        List<CollectionAct> acts = new ArrayList<>();
        objects.forEach(object -> decide(kinds, ownership, object).ifPresent(acts::add));
        return List.copyOf(acts);
    }

    /**
     * Decides about one object.
     *
     * @param kinds the kinds that the ownership knows: an owner of another kind counts as there; never null
     * @param ownership which object owns which; never null
     * @param object one of the objects in it; never null
     * @return what to do now; when that is done, there may be more to do
     */
    public static Optional<CollectionAct> decide(Kinds kinds, Ownership ownership, Member object) {
        GarbageCollection collection = new GarbageCollection(kinds, ownership);
        return collection
                .asOrphan(object)
                .or(() -> collection.asOwner(object))
                .or(() -> collection.asDependent(object));
    }

    /** Owners that orphan their dependents go out of the references of those. */
    private Optional<CollectionAct> asOrphan(Member object) {
        return dropOwners(
                object,
                object.metadata().ownerReferences().stream()
                        .filter(reference -> ownership
                                .member(reference.uid())
                                .filter(owner -> owner.isDeletingWith(Propagation.ORPHAN))
                                .isPresent())
                        .toList());
    }

    private Optional<CollectionAct> asOwner(Member owner) {
        Collection<Member> mine = ownership.dependentsOf(owner.metadata().uid());
        if (owner.isDeletingWith(Propagation.ORPHAN)) {
            return mine.isEmpty() ? dropFinalizer(owner, Propagation.ORPHAN) : Optional.empty();
        }
        return owner.isDeletingWith(Propagation.FOREGROUND) && mine.stream().noneMatch(each -> blocks(each, owner))
                ? dropFinalizer(owner, Propagation.FOREGROUND)
                : Optional.empty();
    }

    private static boolean blocks(Member dependent, Member owner) {
        return dependent.metadata().ownerReferences().stream()
                .anyMatch(
                        reference -> reference.uid().equals(owner.metadata().uid()) && reference.blockOwnerDeletion());
    }

    private Optional<CollectionAct> asDependent(Member object) {
        List<OwnerReference> all = object.metadata().ownerReferences();
        boolean goesAnyway = object.metadata().isDeleting() && !object.isDeletingWith(Propagation.FOREGROUND);
        if (all.isEmpty() || goesAnyway) {
            return Optional.empty();
        }
        List<OwnerReference> absent = new ArrayList<>();
        List<OwnerReference> waiting = new ArrayList<>();
        boolean held = false;
        for (OwnerReference reference : all) {
            Optional<Member> owner = ownership.owner(object, reference);
            if (isUnknown(object, reference)) {
                held = true;
            } else if (owner.isEmpty()) {
                absent.add(reference);
            } else if (owner.get().isDeletingWith(Propagation.FOREGROUND) && reference.blockOwnerDeletion()) {
                waiting.add(reference);
            } else {
                held = true;
            }
        }
        return decide(object, absent, waiting, held);
    }

    private Optional<CollectionAct> decide(
            Member object, List<OwnerReference> absent, List<OwnerReference> waiting, boolean held) {
        if (held) {
            List<OwnerReference> gone = new ArrayList<>(absent);
            gone.addAll(waiting);
            return dropOwners(object, gone);
        } else if (object.metadata().isDeleting()) {
            return Optional.empty();
        }
        boolean hasOwn = !ownership.dependentsOf(object.metadata().uid()).isEmpty();
        Propagation propagation = !waiting.isEmpty() && hasOwn
                ? Propagation.FOREGROUND
                : Propagation.of(object.metadata().finalizers());
        return Optional.of(new CollectionAct.Delete(
                object.kind(), object.key(), object.metadata().uid(), absent, propagation));
    }

    private boolean isUnknown(Member dependent, OwnerReference reference) {
        return locate(kinds, dependent.metadata().namespace(), reference).isEmpty();
    }

    /**
     * Where an owner must be.
     *
     * @param kinds the known kinds; never null
     * @param namespace the dependent's; empty if it is in none; never null
     * @param reference the dependent's reference; never null
     * @return empty if it is unknown: the kind is unknown, or lives in namespaces while the dependent does not
     */
    public static Optional<Located> locate(Kinds kinds, String namespace, OwnerReference reference) {
        String group = group(reference.apiVersion());
        for (Kind<?> kind : kinds.all()) {
            if (kind.name().equals(reference.kind()) && kind.group().equals(group)) {
                if (kind.namespaced() && namespace.isEmpty()) {
                    return Optional.empty();
                }
                return Optional.of(
                        new Located(kind, ObjectKey.of(kind.namespaced() ? namespace : "", reference.name())));
            }
        }
        return Optional.empty();
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    private static Optional<CollectionAct> dropOwners(Member object, List<OwnerReference> owners) {
        return owners.isEmpty()
                ? Optional.empty()
                : Optional.of(new CollectionAct.DropOwners(
                        object.kind(), object.key(), object.metadata().uid(), owners));
    }

    private static Optional<CollectionAct> dropFinalizer(Member owner, Propagation propagation) {
        return Optional.of(new CollectionAct.DropFinalizer(
                owner.kind(), owner.key(), owner.metadata().uid(), propagation.finalizer()));
    }

    /**
     * Kind and name of an object.
     *
     * @param kind its kind; never null
     * @param key its name; never null
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Located(Kind<?> kind, ObjectKey key) {}
}
