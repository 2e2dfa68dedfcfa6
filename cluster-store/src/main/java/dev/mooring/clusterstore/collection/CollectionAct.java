// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.collection;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import java.util.List;
import java.util.function.Function;
import org.apiguardian.api.API;

/** One thing that garbage collection wants done. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface CollectionAct {
    /** The kind of the object that is written; never null. */
    Kind<?> kind();

    /** Its name; never null. */
    ObjectKey key();

    /** Its uid, a precondition of the act; never null. */
    String uid();

    /** Folds the act. */
    <R> R match(
            Function<? super Delete, ? extends R> onDelete,
            Function<? super DropOwners, ? extends R> onDropOwners,
            Function<? super DropFinalizer, ? extends R> onDropFinalizer);

    /**
     * No owner is left: the object goes.
     *
     * @param absent the owners that must be absent for that; never null
     * @param propagation what becomes of its own dependents; never null
     */
    record Delete(Kind<?> kind, ObjectKey key, String uid, List<OwnerReference> absent, Propagation propagation)
            implements CollectionAct {
        /** Copies the list. */
        public Delete {
            absent = List.copyOf(absent);
        }

        @Override
        public <R> R match(
                Function<? super Delete, ? extends R> onDelete,
                Function<? super DropOwners, ? extends R> onDropOwners,
                Function<? super DropFinalizer, ? extends R> onDropFinalizer) {
            return onDelete.apply(this);
        }
    }

    /**
     * The object stays without some of its owners.
     *
     * @param owners the references that go; never null
     */
    record DropOwners(Kind<?> kind, ObjectKey key, String uid, List<OwnerReference> owners) implements CollectionAct {
        /** Copies the list. */
        public DropOwners {
            owners = List.copyOf(owners);
        }

        @Override
        public <R> R match(
                Function<? super Delete, ? extends R> onDelete,
                Function<? super DropOwners, ? extends R> onDropOwners,
                Function<? super DropFinalizer, ? extends R> onDropFinalizer) {
            return onDropOwners.apply(this);
        }
    }

    /**
     * The dependents of an owner that is deleting are dealt with: nothing holds it any longer.
     *
     * @param finalizer {@code orphan} or {@code foregroundDeletion}; never null
     */
    record DropFinalizer(Kind<?> kind, ObjectKey key, String uid, String finalizer) implements CollectionAct {
        @Override
        public <R> R match(
                Function<? super Delete, ? extends R> onDelete,
                Function<? super DropOwners, ? extends R> onDropOwners,
                Function<? super DropFinalizer, ? extends R> onDropFinalizer) {
            return onDropFinalizer.apply(this);
        }
    }
}
