// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Something to be done in the world, as data. An interpreter carries it out and brings back an {@link EffectResult}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Effect {
    /** What it is for: back-off is kept per key and operation; also the name in metrics. */
    String operation();

    /** What it changes; absent for effects that change nothing. */
    Optional<Target> target();

    /** A write to the store. */
    sealed interface Write extends Effect permits Create, Update, UpdateStatus, Delete {
        /** The kind written. */
        Kind<?> kind();

        /** The object written. */
        ObjectKey object();

        @Override
        default Optional<Target> target() {
            return Optional.of(Target.of(kind(), object()));
        }
    }

    /** Creates an object. */
    record Create<T extends KubernetesObject>(String operation, Kind<T> kind, T value) implements Write {
        @Override
        public ObjectKey object() {
            return ObjectKey.of(value);
        }
    }

    /** Changes everything but the status. */
    record Update<T extends KubernetesObject>(String operation, Kind<T> kind, Change<T> change) implements Write {
        @Override
        public ObjectKey object() {
            return change.key();
        }
    }

    /** Changes the status. */
    record UpdateStatus<T extends KubernetesObject>(String operation, Kind<T> kind, Change<T> change) implements Write {
        @Override
        public ObjectKey object() {
            return change.key();
        }
    }

    /** Deletes an object. */
    record Delete<T extends KubernetesObject>(String operation, Kind<T> kind, ObjectKey object, DeleteOptions options)
            implements Write {}

    /** Reads an object live; the cache learns the answer before the key is decided. */
    record Read<T extends KubernetesObject>(String operation, Kind<T> kind, ObjectKey object) implements Effect {
        @Override
        public Optional<Target> target() {
            return Optional.empty();
        }
    }

    /**
     * Looks live for one object, such as one that still uses another. The result is an {@code Optional}; the cache learns what was found
     * before the key is decided. Nothing is kept of the rest, and the list that is read for it ends with what is wanted: so it may be as
     * long as it likes.
     *
     * @param options what is looked through, without a limit and a continue token
     * @param wanted what ends the search: called by any thread, pure, returns quickly. With a record a decision can tell by {@code equals}
     *     whether an answer is one to its question
     */
    record FindLive<T extends KubernetesObject>(
            String operation, Kind<T> kind, ListOptions options, Predicate<? super T> wanted) implements Effect {
        @Override
        public Optional<Target> target() {
            return Optional.empty();
        }
    }

    /**
     * A call to a plugin or to the host.
     *
     * @param call what to do
     * @param target the back-end volume, or whatever must see one call at a time
     * @param timeLimit how long to wait; afterwards the outcome is uncertain and the target stays busy until the call has really ended
     */
    record Perform(String operation, Call call, Optional<Target> target, Duration timeLimit) implements Effect {}

    /** Writes an Event object for people. Nothing waits for it and its failure changes nothing. */
    record Announce(Announcement announcement) implements Effect {
        @Override
        public String operation() {
            return "announce";
        }

        @Override
        public Optional<Target> target() {
            return Optional.empty();
        }
    }
}
