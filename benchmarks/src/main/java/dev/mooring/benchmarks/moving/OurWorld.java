// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.benchmarks.moving.MovingSetting.Move;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Our attach-detach controller, the real one, on a store in memory whose requests take time. No more requests at once than the runtime
 * makes. What is attached at the beginning was attached by the controller itself, in no time.
 */
final class OurWorld {
    private static final int HISTORY = 1_000;
    private static final int BACKLOG = 10_000_000;

    private final Agenda agenda = new Agenda();
    private final MovingSetting setting;
    private final Tally tally = new Tally();
    private final LoopCounters counters = new LoopCounters();
    private final MemoryClusterStore store;
    private final ClusterStore ours;
    private final ClusterStore attachers;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final Deque<Dispatch> waiting = new ArrayDeque<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> released = new HashSet<>();
    private final Attacher attacher;
    private final Kubelets kubelets;
    private final ControlLoop loop;
    private int requests;
    private boolean measuring;
    private long begun;

    OurWorld(MovingSetting setting, boolean ticking) {
        this.setting = setting;
        store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), () -> time().wall(), IdSource.random(new Random(1)))
                        .withWatchBacklog(BACKLOG),
                HISTORY);
        ours = store.as("controllers");
        attachers = store.as("attacher");
        attacher = new Attacher(agenda, setting, tally);
        kubelets = new Kubelets(agenda, setting, new Nodes(), ticking, volume -> tally.moved(agenda.now() - begun));
        loop = new ControlLoop(
                AttachDetach.controllers(AttachDetachOptions.DEFAULT, PluginRegistry.EMPTY),
                this::time,
                new Random(1),
                counters,
                this::accept);
    }

    private Time time() {
        return new Time(Instant.parse("2000-01-01T00:00:00Z").plusNanos(agenda.now()), agenda.now());
    }

    /** Moves them all and answers what it took. */
    Tally run() {
        begin();
        measuring = true;
        long decisions = counters.decisions();
        long conflicts = counters.failures();
        begun = agenda.now();
        for (Move move : setting.moves()) {
            store.delete(Kinds.POD, ObjectKey.of("default", Objects.pod(move.volume(), 0)), DeleteOptions.DEFAULT)
                    .orThrow();
            load(Kinds.POD, Objects.pod(move.volume(), 1, move.to()));
            kubelets.release(move.from(), move.volume());
            kubelets.want(move.to(), move.volume());
        }
        settle();
        if (tally.arrived() != setting.moving() || counters.defects() > 0) {
            throw new IllegalStateException(tally.arrived() + " moved, " + counters.defects() + " defects");
        }
        tally.conflicts = counters.failures() - conflicts;
        tally.looks = counters.decisions() - decisions;
        return tally;
    }

    private void begin() {
        for (int node = 0; node < setting.nodes(); node++) {
            store.create(Kinds.NODE, Objects.node(node)).orThrow();
        }
        for (int volume = 0; volume < setting.volumes(); volume++) {
            load(Kinds.PERSISTENT_VOLUME, Objects.volume(volume));
            load(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim(volume));
            load(Kinds.POD, Objects.pod(volume, 0, setting.home(volume)));
            kubelets.begin(setting.home(volume), volume);
        }
        loop.lead(1);
        loop.caches().kinds().forEach(this::follow);
        settle();
        for (int node = 0; node < setting.nodes(); node++) {
            int home = node;
            Node now = node(node);
            if (now.status().volumesAttached().size() != setting.volumesPerNode()) {
                throw new IllegalStateException(now.status().volumesAttached() + " at " + home);
            }
            Set<Integer> volumes = new HashSet<>();
            for (int i = 0; i < setting.volumesPerNode(); i++) {
                volumes.add(home * setting.volumesPerNode() + i);
            }
            new Nodes().write(home, volumes);
        }
        settle();
        tally.nodeWrites = 0;
    }

    private <T extends KubernetesObject> void load(Kind<T> kind, T object) {
        store.loadDocument(kind, kind.write(object)).orThrow();
    }

    private <T extends KubernetesObject> void follow(Kind<T> kind) {
        ObjectList<T> listed = ours.list(kind, ListOptions.ALL).orThrow();
        loop.listed(kind, listed.items(), listed.revision());
        ours.watch(kind, ListOptions.ALL, listed.revision(), new Feed<>(kind));
    }

    private Node node(int node) {
        return store.get(Kinds.NODE, ObjectKey.cluster("n" + node)).orThrow();
    }

    // ---- the loop ----

    private void settle() {
        while (true) {
            Runnable news = inbox.poll();
            if (news != null) {
                news.run();
            } else if (!loop.decideNext() && !carryOut() && !elapse()) {
                return;
            }
        }
    }

    private boolean elapse() {
        long timer = loop.nextTimerNanos().orElse(Long.MAX_VALUE);
        if (timer < agenda.nextAt()) {
            agenda.moveTo(timer);
            loop.fireTimers();
            return true;
        }
        return agenda.next(Long.MAX_VALUE);
    }

    private void accept(Dispatch dispatch) {
        if (!(dispatch.effect() instanceof Effect.Announce)) {
            waiting.add(dispatch);
        }
    }

    private boolean carryOut() {
        if (waiting.isEmpty() || requests == Defaults.STORE_REQUESTS_IN_FLIGHT) {
            return false;
        }
        Dispatch dispatch = waiting.remove();
        requests++;
        agenda.after(measuring ? setting.request() : Duration.ZERO, () -> {
            requests--;
            count(dispatch.effect());
            EffectResult result =
                    new EffectResult.Stored(dispatch.effect(), StoreRequests.carryOut(ours, dispatch.effect()));
            loop.completed(dispatch, result, true);
        });
        return true;
    }

    private void count(Effect effect) {
        if (effect instanceof Effect.Perform) {
            throw new IllegalStateException("nothing here is attached in-process: " + effect);
        } else if (measuring && effect instanceof Effect.Write write) {
            tally.controllerWrites++;
            tally.statusPatches += write.kind().equals(Kinds.NODE) ? 1 : 0;
        } else if (measuring) {
            tally.controllerReads++;
        }
    }

    // ---- those that the others see ----

    private void seen(WatchEvent.Type type, KubernetesObject object) {
        if (object instanceof Node node && type != WatchEvent.Type.DELETED) {
            kubelets.listed(Objects.number(node.metadata().name()));
        } else if (object instanceof VolumeAttachment slot && type != WatchEvent.Type.DELETED) {
            seen(slot);
        }
    }

    private void seen(VolumeAttachment slot) {
        ObjectKey key = ObjectKey.of(slot);
        if (!slot.metadata().isDeleting()) {
            if (taken.add(slot.metadata().uid())) {
                attach(key);
            }
        } else if (released.add(slot.metadata().uid())) {
            attacher.detach(() -> edit(key, Objects::released));
        }
    }

    private void attach(ObjectKey key) {
        if (measuring) {
            attacher.attach(() -> edit(key, Objects::taken), () -> show(key));
        } else {
            edit(key, Objects::taken);
            show(key);
        }
    }

    private void edit(ObjectKey key, UnaryOperator<VolumeAttachment> edit) {
        VolumeAttachment before = attachers.get(Kinds.VOLUME_ATTACHMENT, key).orThrow();
        attachers
                .update(Kinds.VOLUME_ATTACHMENT, new Change<>(before, edit.apply(before)))
                .orThrow();
    }

    private void show(ObjectKey key) {
        VolumeAttachment before = attachers.get(Kinds.VOLUME_ATTACHMENT, key).orThrow();
        attachers
                .updateStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        new Change<>(before, before.withStatus(before.status().withAttached(true))))
                .orThrow();
    }

    private final class Nodes implements Kubelets.Status {
        @Override
        public boolean lists(int node, int volume) {
            String name = Objects.reported(volume);
            return node(node).status().volumesAttached().stream()
                    .anyMatch(attached -> attached.name().equals(name));
        }

        @Override
        public void write(int node, Set<Integer> inUse) {
            tally.nodeWrites++;
            Node before = node(node);
            List<String> names = inUse.stream().map(Objects::reported).sorted().toList();
            store.as("node")
                    .updateStatus(
                            Kinds.NODE,
                            new Change<>(
                                    before, before.withStatus(before.status().withVolumesInUse(names))))
                    .orThrow();
        }
    }

    private final class Feed<T extends KubernetesObject> implements WatchListener<T> {
        private final Kind<T> kind;

        Feed(Kind<T> kind) {
            this.kind = kind;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            inbox.add(() -> learn(event));
        }

        private void learn(WatchEvent<T> event) {
            loop.caches().of(kind).heard(event);
            seen(event.type(), event.object());
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
