// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * The binder, its protections, the control loop and a store in memory, on the caller's thread: news first, then decisions, then one
 * effect. Time stands still, so nothing that happens is a matter of waiting.
 */
final class World {
    private static final String CONTROLLERS = "controllers";
    private static final int BACKLOG = 10_000_000;
    /** As little as a long-running API server remembers beside what it holds: no watch lags behind here. */
    private static final int HISTORY = 1_000;

    private static final KubernetesYaml YAML = KubernetesYaml.standard();
    private static final Time NOW = new Time(Instant.parse("2000-01-01T00:00:00Z"), 0);

    private final MemoryClusterStore store;
    private final ClusterStore ours;
    private final LoopCounters counters = new LoopCounters();
    private final BindingLedger ledger = new BindingLedger();
    private final Binder binder = new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY);
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final Deque<Dispatch> effects = new ArrayDeque<>();
    private final ControlLoop loop;

    World() {
        store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), NOW::wall, IdSource.random(new Random(1)))
                        .withWatchBacklog(BACKLOG),
                HISTORY);
        ours = store.as(CONTROLLERS);
        loop = new ControlLoop(
                binder.controllers(), () -> NOW, new Random(1), LoopListener.all(counters, ledger), effects::add);
    }

    /** Begins to control what the store holds now. */
    World start() {
        loop.lead(1);
        loop.caches().kinds().forEach(this::list);
        return this;
    }

    private <T extends KubernetesObject> void list(Kind<T> kind) {
        ObjectList<T> listed = ours.list(kind, ListOptions.ALL).orThrow();
        loop.listed(kind, listed.items(), listed.revision());
        ours.watch(kind, ListOptions.ALL, listed.revision(), new Feed<>(kind));
    }

    /** Creates an object as a user does. */
    <T extends KubernetesObject> void create(Kind<T> kind, T object) {
        store.create(kind, object).orThrow();
    }

    /** Creates an object as a user does with kubectl. */
    void createYaml(String text) {
        Document document = YAML.read(text, "a benchmark");
        String name = document.text("kind").orElseThrow();
        create(Kinds.standard().byKindName(name).orElseThrow(), document);
    }

    private <T extends KubernetesObject> void create(Kind<T> kind, Document document) {
        create(kind, kind.read(document));
    }

    /** Deletes a claim of the namespace default as a user does. */
    void deleteClaim(String name) {
        store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", name), DeleteOptions.DEFAULT)
                .orThrow();
    }

    /** Puts an object into the store as it is, status and all. */
    <T extends KubernetesObject> void load(Kind<T> kind, T object) {
        store.loadDocument(kind, kind.write(object)).orThrow();
    }

    /** Works until there is nothing left to do. */
    void settle() {
        while (true) {
            Runnable news = inbox.poll();
            if (news != null) {
                news.run();
            } else if (!loop.decideNext()) {
                Dispatch dispatch = effects.poll();
                if (dispatch == null) {
                    ledger.requireNoDefect();
                    return;
                }
                carryOut(dispatch);
            }
        }
    }

    private void carryOut(Dispatch dispatch) {
        Effect effect = dispatch.effect();
        if (effect instanceof Effect.Announce) {
            return;
        }
        if (effect instanceof Effect.Perform) {
            throw new IllegalStateException("nothing here needs a back-end: " + effect);
        }
        loop.completed(dispatch, new EffectResult.Stored(effect, StoreRequests.carryOut(ours, effect)), true);
    }

    LoopCounters counters() {
        return counters;
    }

    BindingLedger ledger() {
        return ledger;
    }

    long probes() {
        return binder.indexProbes();
    }

    boolean hasTimer() {
        return loop.nextTimerNanos().isPresent();
    }

    /** All objects of a kind. */
    <T extends KubernetesObject> ObjectList<T> all(Kind<T> kind) {
        return store.list(kind, ListOptions.ALL).orThrow();
    }

    private final class Feed<T extends KubernetesObject> implements WatchListener<T> {
        private final Kind<T> kind;

        Feed(Kind<T> kind) {
            this.kind = kind;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            inbox.add(() -> loop.caches().of(kind).heard(event));
        }

        @Override
        public void onBookmark(Revision revision) {
            // nothing happened
        }

        @Override
        public void onEnd(StoreResult.Failure reason, String message) {
            throw new IllegalStateException("the watch of " + kind + " ended: " + message);
        }
    }
}
