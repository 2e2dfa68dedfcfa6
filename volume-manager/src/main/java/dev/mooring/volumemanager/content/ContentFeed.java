// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Reads and follows exactly the ConfigMaps and Secrets that pods of this node show, each by a watch of its own name: no more rights are
 * needed than those of a node, and nothing is kept of what was read. A watch that ends counts as a change; the read that follows opens
 * it again. Watches that end without a word, as where they are forbidden or shed, count as changes at growing intervals. What never
 * changes ({@code immutable}) is not followed. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContentFeed implements ContentObjects, AutoCloseable {
    /** What is followed. */
    private record Followed(Kind<?> kind, ObjectKey key) {}

    /** For what it is followed. */
    private record Reader(String podUid, String volume) {}

    /** Who follows it, and by what; guarded by the feed. */
    private static final class Following {
        final Set<Reader> readers = new HashSet<>();
        Optional<Watch> watch = Optional.empty();
        boolean starting;
        /** Which watch it is: what an earlier one says is of no interest. */
        int round;
        /** How many watches in a row have ended without a word. */
        int silentEnds;

        /** A watch has ended. */
        Duration ended() {
            round++;
            starting = false;
            watch = Optional.empty();
            silentEnds++;
            if (silentEnds < 2) {
                return Duration.ZERO;
            }
            Duration rest = Defaults.BACKOFF_FIRST.multipliedBy(1L << Math.min(silentEnds - 2, 8));
            return rest.compareTo(Defaults.BACKOFF_LONGEST) < 0 ? rest : Defaults.BACKOFF_LONGEST;
        }
    }

    private final ClusterStore store;
    private final BiConsumer<Duration, Runnable> later;
    private final Map<Followed, Following> followings = new HashMap<>();
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private boolean closed;

    /**
     * A feed that follows nothing yet.
     *
     * @param store the cluster; never closed by the feed
     */
    public ContentFeed(ClusterStore store) {
        this(store, ContentFeed::later);
    }

    ContentFeed(ClusterStore store, BiConsumer<Duration, Runnable> later) {
        this.store = store;
        this.later = later;
    }

    /** On a thread of the JDK's that is there only while something waits. */
    private static void later(Duration wait, Runnable work) {
        CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS).execute(work);
    }

    /**
     * Asks to be told of changes.
     *
     * @param listener given the uid of a pod whose volumes may show something old; called by threads of the store, returns quickly
     */
    public synchronized void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Says that what a pod's volumes show has to be written again, such as a token. */
    public void changed(String podUid) {
        List<Consumer<String>> told;
        synchronized (this) {
            told = List.copyOf(listeners);
        }
        told.forEach(listener -> listener.accept(podUid));
    }

    @Override
    public Outcome<Optional<Pod>> pod(PodRef pod) {
        Outcome<Optional<Pod>> read = store.get(Kinds.POD, ObjectKey.of(pod.namespace(), pod.name()))
                .match(found -> Outcome.done(Optional.of(found)), ContentFeed::absentOrDeferred);
        return read.map(found -> found.filter(same -> same.metadata().uid().equals(pod.uid())));
    }

    @Override
    public Outcome<Optional<ConfigMap>> configMap(PodRef pod, String volume, ObjectKey key) {
        return read(
                new Reader(pod.uid(), volume),
                Kinds.CONFIG_MAP,
                key,
                found -> found.immutable().orElse(false));
    }

    @Override
    public Outcome<Optional<Secret>> secret(PodRef pod, String volume, ObjectKey key) {
        return read(
                new Reader(pod.uid(), volume),
                Kinds.SECRET,
                key,
                found -> found.immutable().orElse(false));
    }

    @Override
    public Outcome<Optional<Node>> node(String name) {
        return store.get(Kinds.NODE, ObjectKey.cluster(name))
                .match(found -> Outcome.done(Optional.of(found)), ContentFeed::absentOrDeferred);
    }

    private <T extends KubernetesObject> Outcome<Optional<T>> read(
            Reader reader, Kind<T> kind, ObjectKey key, Predicate<T> immutable) {
        ListOptions named = ListOptions.inNamespace(key.namespace()).withFields("metadata.name=" + key.name());
        Followed what = new Followed(kind, key);
        return store.list(kind, named)
                .match(
                        list -> {
                            Optional<T> found = list.items().stream().findFirst();
                            if (found.filter(immutable).isEmpty()) {
                                follow(reader, what, kind, named, list);
                            }
                            return Outcome.done(found);
                        },
                        ContentFeed::absentOrDeferred);
    }

    private static <T> Outcome<Optional<T>> absentOrDeferred(Failed<?> failed) {
        if (failed.reason() == Failure.NOT_FOUND) {
            return Outcome.done(Optional.empty());
        }
        return failed.reason() == Failure.FORBIDDEN
                ? Outcome.refused(Refusal.DENIED, failed.message())
                : new Outcome.Deferred<>("the cluster could not be asked: " + failed.message(), failed.retryAfter());
    }

    private <T extends KubernetesObject> void follow(
            Reader reader, Followed what, Kind<T> kind, ListOptions named, ObjectList<T> list) {
        Following following;
        int round;
        synchronized (this) {
            following = followings.computeIfAbsent(what, w -> new Following());
            following.readers.add(reader);
            if (closed || following.starting || following.watch.isPresent()) {
                return;
            }
            following.starting = true;
            round = ++following.round;
        }
        // from the revision that was read: nothing can happen between the read and the watch
        started(
                what,
                following,
                round,
                store.watch(kind, named, list.revision(), new Listener<>(what, following, round)));
    }

    private void started(Followed what, Following following, int round, Watch watch) {
        boolean kept;
        synchronized (this) {
            // otherwise it has ended already, and the object may be followed again
            kept = isCurrent(what, following, round);
            if (kept) {
                following.starting = false;
                following.watch = Optional.of(watch);
            }
        }
        if (!kept) {
            watch.close();
        }
    }

    private boolean isCurrent(Followed what, Following following, int round) {
        return !closed && followings.get(what) == following && following.round == round;
    }

    /** A server that has nothing to tell says so from time to time. */
    private synchronized void heardFrom(Followed what, Following following, int round) {
        if (isCurrent(what, following, round)) {
            following.silentEnds = 0;
        }
    }

    private void happened(Followed what, Following following, int round, boolean ended) {
        Set<String> pods = new TreeSet<>();
        Duration rest = Duration.ZERO;
        synchronized (this) {
            if (isCurrent(what, following, round)) {
                following.readers.forEach(reader -> pods.add(reader.podUid()));
                if (ended) {
                    rest = following.ended();
                } else {
                    following.silentEnds = 0;
                }
            }
        }
        if (rest.isZero()) {
            pods.forEach(this::changed);
        } else {
            later.accept(rest, () -> pods.forEach(this::changed));
        }
    }

    @Override
    public void release(PodRef pod, String volume) {
        Reader reader = new Reader(pod.uid(), volume);
        List<Watch> unused = new ArrayList<>();
        synchronized (this) {
            followings.values().removeIf(following -> {
                following.readers.remove(reader);
                if (following.readers.isEmpty()) {
                    following.watch.ifPresent(unused::add);
                }
                return following.readers.isEmpty();
            });
        }
        unused.forEach(Watch::close);
    }

    /** How many objects are followed. */
    public synchronized int size() {
        return followings.size();
    }

    /** Ends all watches. */
    @Override
    public void close() {
        List<Watch> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            followings.values().forEach(following -> following.watch.ifPresent(all::add));
            followings.clear();
        }
        all.forEach(Watch::close);
    }

    private final class Listener<T extends KubernetesObject> implements WatchListener<T> {
        private final Followed what;
        private final Following following;
        private final int round;

        Listener(Followed what, Following following, int round) {
            this.what = what;
            this.following = following;
            this.round = round;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            happened(what, following, round, false);
        }

        @Override
        public void onBookmark(Revision revision) {
            heardFrom(what, following, round);
        }

        @Override
        public void onEnd(Failure reason, String message) {
            happened(what, following, round, true);
        }
    }
}
