// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.collection;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What becomes of objects whose owners go, as Kubernetes' garbage collector decides it. An object stays as long as one owner is there
 * and does not wait for its dependents; an owner that is deleted in the foreground goes after those dependents that block it; one that
 * orphans them goes after they have lost their references to it. Pure functions.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class GarbageCollection {
    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    private final Kinds kinds;
    private final Map<String, Member> byUid = new HashMap<>();
    private final Map<String, List<Member>> dependents = new HashMap<>();
    private final List<CollectionAct> acts = new ArrayList<>();

    private GarbageCollection(Kinds kinds, Collection<Member> objects) {
        this.kinds = kinds;
        for (Member object : objects) {
            byUid.put(object.metadata().uid(), object);
        }
        for (Member object : objects) {
            Set<String> seen = new HashSet<>();
            for (OwnerReference owner : object.metadata().ownerReferences()) {
                if (seen.add(owner.uid())) {
                    dependents
                            .computeIfAbsent(owner.uid(), uid -> new ArrayList<>())
                            .add(object);
                }
            }
        }
    }

    /**
     * Decides.
     *
     * @param kinds the kinds that the objects were collected from: an owner of another kind counts as there; never null
     * @param objects all current objects of those kinds, in the order in which acts shall come; never null
     * @return what to do now; when that is done, there may be more to do
     */
    public static List<CollectionAct> collect(Kinds kinds, Collection<Member> objects) {
        GarbageCollection collection = new GarbageCollection(kinds, objects);
        objects.forEach(collection::owner);
        objects.forEach(collection::dependent);
        return List.copyOf(collection.acts);
    }

    private void owner(Member owner) {
        List<Member> mine = dependents.getOrDefault(owner.metadata().uid(), List.of());
        if (owner.isDeletingWith(ORPHAN)) {
            for (Member dependent : mine) {
                dropOwners(dependent, references(dependent, owner));
            }
            if (mine.isEmpty()) {
                dropFinalizer(owner, ORPHAN);
            }
        } else if (owner.isDeletingWith(FOREGROUND) && mine.stream().noneMatch(each -> blocks(each, owner))) {
            dropFinalizer(owner, FOREGROUND);
        }
    }

    private static boolean blocks(Member dependent, Member owner) {
        return references(dependent, owner).stream().anyMatch(OwnerReference::blockOwnerDeletion);
    }

    private static List<OwnerReference> references(Member dependent, Member owner) {
        return dependent.metadata().ownerReferences().stream()
                .filter(reference -> reference.uid().equals(owner.metadata().uid()))
                .toList();
    }

    private void dependent(Member object) {
        List<OwnerReference> all = object.metadata().ownerReferences();
        boolean goesAnyway =
                object.metadata().isDeleting() && !object.metadata().hasFinalizer(FOREGROUND);
        if (all.isEmpty() || goesAnyway) {
            return;
        }
        List<OwnerReference> absent = new ArrayList<>();
        List<OwnerReference> waiting = new ArrayList<>();
        boolean held = false;
        for (OwnerReference reference : all) {
            Optional<Member> owner = find(object, reference);
            if (isUnknown(object, reference)) {
                held = true;
            } else if (owner.isEmpty()) {
                absent.add(reference);
            } else if (owner.get().isDeletingWith(FOREGROUND) && reference.blockOwnerDeletion()) {
                waiting.add(reference);
            } else {
                held = true;
            }
        }
        decide(object, absent, waiting, held);
    }

    private void decide(Member object, List<OwnerReference> absent, List<OwnerReference> waiting, boolean held) {
        if (held) {
            List<OwnerReference> gone = new ArrayList<>(absent);
            gone.addAll(waiting);
            dropOwners(object, gone);
        } else if (!object.metadata().isDeleting()) {
            boolean hasOwn = dependents.containsKey(object.metadata().uid());
            Propagation propagation = !waiting.isEmpty() && hasOwn ? Propagation.FOREGROUND : ownWish(object);
            acts.add(new CollectionAct.Delete(
                    object.kind(), object.key(), object.metadata().uid(), absent, propagation));
        }
    }

    private static Propagation ownWish(Member object) {
        if (object.metadata().hasFinalizer(ORPHAN)) {
            return Propagation.ORPHAN;
        }
        return object.metadata().hasFinalizer(FOREGROUND) ? Propagation.FOREGROUND : Propagation.BACKGROUND;
    }

    /** The owner that a reference means: of that uid, name and kind, in the same namespace or in none. */
    private Optional<Member> find(Member dependent, OwnerReference reference) {
        return Optional.ofNullable(byUid.get(reference.uid()))
                .filter(owner -> owner.metadata().name().equals(reference.name())
                        && owner.kind().name().equals(reference.kind())
                        && (!owner.kind().namespaced()
                                || owner.metadata()
                                        .namespace()
                                        .equals(dependent.metadata().namespace())));
    }

    private boolean isUnknown(Member dependent, OwnerReference reference) {
        return locate(kinds, dependent.metadata().namespace(), reference).isEmpty();
    }

    /** Where an owner must be; empty if its kind is unknown. */
    static Optional<Located> locate(Kinds kinds, String namespace, OwnerReference reference) {
        String group = group(reference.apiVersion());
        for (Kind<?> kind : kinds.all()) {
            if (kind.name().equals(reference.kind()) && kind.group().equals(group)) {
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

    private void dropOwners(Member object, List<OwnerReference> owners) {
        if (!owners.isEmpty()) {
            acts.add(new CollectionAct.DropOwners(
                    object.kind(), object.key(), object.metadata().uid(), owners));
        }
    }

    private void dropFinalizer(Member owner, String finalizer) {
        acts.add(new CollectionAct.DropFinalizer(
                owner.kind(), owner.key(), owner.metadata().uid(), finalizer));
    }

    /** Kind and name of an object. */
    record Located(Kind<?> kind, ObjectKey key) {}
}
