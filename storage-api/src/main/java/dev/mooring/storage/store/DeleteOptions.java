// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Collection;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How to delete.
 *
 * @param uid delete only the object with this uid; empty for any
 * @param revision delete only this version; absent for any
 * @param gracePeriodSeconds seconds a pod gets to end; absent for the kind's default, 0 for at once
 * @param propagation what becomes of dependents
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record DeleteOptions(
        String uid, Optional<Revision> revision, Optional<Long> gracePeriodSeconds, Propagation propagation)
        implements DeleteOptionsBuilder.With {
    /** No precondition, default grace, dependents go in the background. */
    public static final DeleteOptions DEFAULT =
            new DeleteOptions("", Optional.empty(), Optional.empty(), Propagation.BACKGROUND);

    /** Deletes only the object of this uid at this revision. */
    public static DeleteOptions exactly(String uid, Revision revision) {
        return new DeleteOptions(uid, Optional.of(revision), Optional.empty(), Propagation.BACKGROUND);
    }

    /** Deletes only the object of this uid, whatever its version; default grace, dependents go in the background. */
    public static DeleteOptions ofUid(String uid) {
        return new DeleteOptions(uid, Optional.empty(), Optional.empty(), Propagation.BACKGROUND);
    }

    /** The same with a grace period. */
    public DeleteOptions withGracePeriodSeconds(long seconds) {
        return new DeleteOptions(uid, revision, Optional.of(seconds), propagation);
    }

    /** What becomes of the objects that the deleted one owns. */
    public enum Propagation {
        /** They are deleted later by garbage collection. */
        BACKGROUND(""),
        /** They are deleted first. */
        FOREGROUND("foregroundDeletion"),
        /** They stay and lose the owner reference. */
        ORPHAN("orphan");

        private final String finalizer;

        Propagation(String finalizer) {
            this.finalizer = finalizer;
        }

        /** The finalizer that keeps an owner until its dependents are dealt with so; empty for {@link #BACKGROUND}. */
        public String finalizer() {
            return finalizer;
        }

        /** What an owner's finalizers say about its dependents; with both of them, they stay. */
        public static Propagation of(Collection<String> finalizers) {
            if (finalizers.contains(ORPHAN.finalizer)) {
                return ORPHAN;
            }
            return finalizers.contains(FOREGROUND.finalizer) ? FOREGROUND : BACKGROUND;
        }
    }
}
