// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.collection;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.collection.GarbageCollection.Located;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Carries out garbage collection against a store that has no collector of its own. Its driver calls {@link #sweep} when
 * something was deleted; what is refused is left for the next sweep. Absence of an owner is proved by a live read before anything is
 * deleted. Stateless and thread-safe; blocks.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Collector {
    private static final int MOST_ROUNDS = 1_000;

    private final DocumentStore store;

    /**
     * Makes a collector.
     *
     * @param store never null
     */
    public Collector(DocumentStore store) {
        this.store = store;
    }

    /**
     * Collects until there is nothing left that can be done now.
     *
     * @return how many writes were accepted
     */
    public int sweep() {
        int done = 0;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            int now = 0;
            for (CollectionAct act : GarbageCollection.collect(store.kinds(), members())) {
                now += carryOut(act) ? 1 : 0;
            }
            done += now;
            if (now == 0) {
                break;
            }
        }
        return done;
    }

    private List<Member> members() {
        List<Member> members = new ArrayList<>();
        for (Kind<?> kind : store.kinds().all()) {
            membersOf(kind, members);
        }
        return members;
    }

    private <T extends KubernetesObject> void membersOf(Kind<T> kind, List<Member> members) {
        store.list(kind, ListOptions.ALL)
                .value()
                .ifPresent(list -> list.items().forEach(object -> members.add(Member.of(kind, object))));
    }

    private boolean carryOut(CollectionAct act) {
        return act.match(this::delete, this::dropOwners, this::dropFinalizer);
    }

    private boolean delete(CollectionAct.Delete act) {
        boolean proved =
                act.absent().stream().allMatch(owner -> isAbsent(act.key().namespace(), owner));
        Optional<Document> current = current(act).filter(object -> !Fields.isDeleting(object));
        if (!proved || current.isEmpty()) {
            return false;
        }
        Revision revision = Revision.parse(Fields.resourceVersion(current.get()));
        DeleteOptions options = DeleteOptions.exactly(act.uid(), revision).withPropagation(act.propagation());
        return succeeded(store.deleteObject(act.kind(), act.key(), options));
    }

    private boolean isAbsent(String namespace, OwnerReference owner) {
        Optional<Located> where = GarbageCollection.locate(store.kinds(), namespace, owner);
        if (where.isEmpty()) {
            return false;
        }
        StoreResult<Document> found =
                store.getDocument(where.get().kind(), where.get().key());
        return found.match(
                object -> !Fields.uid(object).equals(owner.uid()),
                failed -> failed.reason() == StoreResult.Failure.NOT_FOUND);
    }

    private boolean dropOwners(CollectionAct.DropOwners act) {
        return rewritten(act, object -> {
            List<Object> left = new ArrayList<>(Fields.list(object, "metadata", "ownerReferences"));
            left.removeIf(each -> act.owners().stream()
                    .anyMatch(owner -> Objects.equals(owner.uid(), Fields.text(Fields.asDocument(each), "uid"))));
            return list(object, left, "ownerReferences");
        });
    }

    private boolean dropFinalizer(CollectionAct.DropFinalizer act) {
        return rewritten(act, object -> {
            List<Object> left = new ArrayList<>(Fields.list(object, "metadata", "finalizers"));
            left.remove(act.finalizer());
            return list(object, left, "finalizers");
        });
    }

    private static Document list(Document object, List<Object> left, String field) {
        return left.isEmpty() ? object.without("metadata", field) : object.with(left, "metadata", field);
    }

    /** Replaces the current object, with its version as precondition; answers whether that changed it. */
    private boolean rewritten(CollectionAct act, Function<Document, Document> edit) {
        return current(act)
                .map(object -> {
                    Document wanted = edit.apply(object);
                    return !wanted.equals(object) && succeeded(store.replaceDocument(act.kind(), "", wanted));
                })
                .orElse(false);
    }

    private Optional<Document> current(CollectionAct act) {
        return store.getDocument(act.kind(), act.key())
                .value()
                .filter(object -> Fields.uid(object).equals(act.uid()));
    }

    private static boolean succeeded(StoreResult<?> result) {
        return result.failure().isEmpty();
    }
}
