// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits for what a store shows, without asking again and again.
 *
 * @param store the store
 * @param patience how long at most
 */
public record Awaiting(ClusterStore store, Duration patience) {
    /**
     * Waits until an object, or its absence, is as wanted.
     *
     * @param what is waited for, to be told when it does not happen
     * @return the object as it was wanted
     * @throws IllegalStateException if it is not within the time; the message shows what was seen last
     */
    public <T extends KubernetesObject> Optional<T> until(
            Kind<T> kind, ObjectKey key, String what, Predicate<Optional<T>> wanted) {
        return until(kind, what, () -> store.get(kind, key).value(), wanted);
    }

    /**
     * Waits until some object of a kind is as wanted.
     *
     * @param what is waited for, to be told when it does not happen
     * @return the first such object
     * @throws IllegalStateException if there is none within the time
     */
    public <T extends KubernetesObject> Optional<T> untilAny(Kind<T> kind, String what, Predicate<T> wanted) {
        return until(
                kind,
                what,
                () -> store.list(kind, ListOptions.ALL).orThrow().items().stream()
                        .filter(wanted)
                        .findFirst(),
                Optional::isPresent);
    }

    private <T extends KubernetesObject> Optional<T> until(
            Kind<T> kind, String what, Supplier<Optional<T>> find, Predicate<Optional<T>> wanted) {
        CompletableFuture<Optional<T>> reached = new CompletableFuture<>();
        AtomicReference<Optional<T>> seen = new AtomicReference<>(Optional.empty());
        Runnable look = () -> {
            Optional<T> now = find.get();
            seen.set(now);
            if (wanted.test(now)) {
                reached.complete(now);
            }
        };
        // From before the first look: a watch may begin only after what it waits for has happened, and then it shows
        // nothing of an absence.
        Revision before = store.list(kind, ListOptions.ALL)
                .value()
                .map(ObjectList::revision)
                .orElse(Revision.ZERO);
        Watch watch = store.watch(kind, ListOptions.ALL, before, new Looking<T>(look));
        try {
            look.run();
            return reached.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    what + " did not happen within " + patience.toSeconds() + " s; last seen: " + seen.get(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting: " + what, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(what, e);
        } finally {
            watch.close();
        }
    }

    /** Looks again at every event. */
    private record Looking<T extends KubernetesObject>(Runnable look) implements WatchListener<T> {
        @Override
        public void onEvent(WatchEvent<T> event) {
            look.run();
        }

        @Override
        public void onBookmark(Revision revision) {
            // nothing happened
        }

        @Override
        public void onEnd(StoreResult.Failure reason, String message) {
            look.run();
        }
    }
}
