// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.guard;

import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.ObjectWrite;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.world.CallWitness;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Shows a world to its invariants and takes down what they find. Confined to the world's thread. */
public final class Guard implements WorldView {
    private static final List<Kind<?>> SHOWN = List.of(
            Kinds.PERSISTENT_VOLUME,
            Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.POD,
            Kinds.NODE,
            Kinds.VOLUME_ATTACHMENT,
            Kinds.STORAGE_CLASS,
            Kinds.CSI_DRIVER,
            Kinds.CSI_NODE,
            Kinds.VOLUME_ATTRIBUTES_CLASS,
            Kinds.NAMESPACE);
    private static final int MOST_FINDINGS = 50;

    private final SimulatedCluster cluster;
    private final List<Invariant> invariants;
    private final Truth truth = new Truth();
    private final Map<Kind<?>, Map<ObjectKey, KubernetesObject>> objects = new HashMap<>();
    private final Map<String, PersistentVolume> everKnown = new TreeMap<>();
    private final Set<Finding> findings = new LinkedHashSet<>();
    private final LastEvents last = new LastEvents();
    private boolean changed;
    private long lives;
    private Duration disturbed = Duration.ZERO;

    /**
     * Sets invariants upon a world in which nothing has happened yet.
     *
     * @param cluster the world
     * @param invariants new ones
     */
    public Guard(SimulatedCluster cluster, List<? extends Invariant> invariants) {
        this.cluster = cluster;
        this.invariants = List.copyOf(invariants);
        SHOWN.forEach(this::watch);
        cluster.show(new Calls());
        cluster.showWrites(
                request -> ask(invariant -> invariant.writing(this, request.kind(), request.key(), this::found)));
        cluster.afterEachEffect(this::step);
        cluster.hear(news -> ask(invariant -> invariant.told(this, news, this::found)));
        cluster.trace()
                .showRefused(write -> happened(() -> "refused, " + write.outcome() + ": " + write.verb() + " "
                        + write.kind() + " " + write.name() + " " + write.subresource()));
    }

    /** Notes what happens, to be printed if something is wrong soon after. */
    public void happened(Supplier<String> what) {
        last.add(cluster.elapsed(), what);
    }

    private <T extends KubernetesObject> void watch(Kind<T> kind) {
        objects.put(kind, new TreeMap<>());
        cluster.store().watch(kind, ListOptions.ALL, Revision.ZERO, new Mirror<>(kind));
    }

    private void found(String rule, String about) {
        last.end();
        if (findings.size() < MOST_FINDINGS) {
            findings.add(new Finding(rule, about));
        }
    }

    private void ask(Consumer<Invariant> question) {
        invariants.forEach(question);
    }

    /** Has the invariants look at the world, if it has changed since they did. */
    public void step() {
        if (changed) {
            changed = false;
            ask(invariant -> invariant.step(this, this::found));
        }
    }

    /** Has the invariants look at the world that has come to rest. */
    public void atRest() {
        changed = true;
        step();
        ask(invariant -> invariant.atRest(this, this::found));
    }

    /** What is wrong, each once, in order of appearance. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** What happened before something was wrong for the first time, or last if nothing is; a line each, the latest last. */
    public List<String> lastEvents() {
        return last.texts();
    }

    /** Something is wrong for a reason outside the invariants. */
    public void report(String rule, String about) {
        found(rule, about);
    }

    @Override
    public Duration elapsed() {
        return cluster.elapsed();
    }

    @Override
    public Duration undisturbed() {
        // Between two looks nothing stops or starts without a look: time passes only while nothing happens.
        long now = cluster.undisturbedLives();
        if (now == 0 || now != lives) {
            lives = now;
            disturbed = cluster.elapsed();
        }
        return cluster.elapsed().minus(disturbed);
    }

    @Override
    @SuppressWarnings("unchecked") // a map of a kind holds objects of that kind
    public <T extends KubernetesObject> Collection<T> all(Kind<T> kind) {
        return Collections.unmodifiableCollection((Collection<T>) of(kind).values());
    }

    @Override
    @SuppressWarnings("unchecked") // a map of a kind holds objects of that kind
    public <T extends KubernetesObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return Optional.ofNullable((T) of(kind).get(key));
    }

    private Map<ObjectKey, KubernetesObject> of(Kind<?> kind) {
        Map<ObjectKey, KubernetesObject> found = objects.get(kind);
        if (found == null) {
            throw new IllegalArgumentException(kind + " is not shown");
        }
        return found;
    }

    @Override
    public boolean isUp(String node) {
        return cluster.machines().isUp(node);
    }

    @Override
    public Set<String> attachedTo(String volume) {
        return new TreeSet<>(truth.attached(volume));
    }

    @Override
    public Set<String> mountedOn(String volume) {
        return truth.mounted(volume);
    }

    @Override
    public boolean stagedOn(String volume, String node) {
        return truth.staged(volume, node);
    }

    @Override
    public Set<String> publishedTo(String volume, String node) {
        return new TreeSet<>(truth.published(volume, node));
    }

    @Override
    public long contentOf(String volume) {
        return cluster.contentOf(volume);
    }

    @Override
    public boolean liedAbout(String volume) {
        return cluster.liedAbout(volume);
    }

    @Override
    public boolean actsOutOfTerm() {
        return cluster.actsOutOfTerm();
    }

    @Override
    public Optional<PersistentVolume> everKnown(String volume) {
        return Optional.ofNullable(everKnown.get(volume));
    }

    /**
     * Something that is wrong.
     *
     * @param rule which rule is broken
     * @param about what breaks it
     */
    public record Finding(String rule, String about) {
        @Override
        public String toString() {
            return rule + ": " + about;
        }
    }

    private static String sayCall(Call call) {
        String pod =
                call instanceof PublishCall || call instanceof UnpublishCall ? " for pod " + Truth.podOf(call) : "";
        String node = call.node().isEmpty() ? "" : " on " + call.node();
        return call.plugin() + " " + call.operation() + " of " + call.volume() + node + pod;
    }

    private static String sayAnswer(Optional<Outcome<?>> answer) {
        return answer.map(outcome -> outcome.<String>match(
                        done -> "done",
                        refused -> "refused",
                        uncertain -> "uncertain",
                        deferred -> "deferred",
                        elsewhere -> "in use elsewhere"))
                .orElse("none, it hangs");
    }

    private final class Calls implements CallWitness {
        @Override
        public void issued(Call call) {
            happened(() -> "call: " + sayCall(call));
            ask(invariant -> invariant.calling(Guard.this, call, Guard.this::found));
        }

        @Override
        public void ended(Call call, boolean applied, boolean hangs) {
            if (applied) {
                truth.apply(call);
            }
            changed = true;
            ask(invariant -> invariant.called(Guard.this, call, applied, Guard.this::found));
        }

        @Override
        public void answered(Call call, Optional<Outcome<?>> answer) {
            happened(() -> "answer: " + sayCall(call) + ": " + sayAnswer(answer));
            ask(invariant -> invariant.answered(Guard.this, call, answer, Guard.this::found));
        }

        @Override
        public void over(Call call) {
            ask(invariant -> invariant.ended(Guard.this, call, Guard.this::found));
        }

        @Override
        public void formatting(Call call, boolean surelyNothing, Optional<String> held) {
            ask(invariant -> invariant.formatting(Guard.this, call, surelyNothing, held, Guard.this::found));
        }

        @Override
        public void machineDied(String node) {
            happened(() -> "machine " + node + " went down");
            truth.machineDied(node);
            changed = true;
        }
    }

    private final class Mirror<T extends KubernetesObject> implements WatchListener<T> {
        private final Kind<T> kind;

        Mirror(Kind<T> kind) {
            this.kind = kind;
        }

        @Override
        @SuppressWarnings("unchecked") // a map of a kind holds objects of that kind
        public void onEvent(WatchEvent<T> event) {
            ObjectKey key = ObjectKey.of(event.object());
            boolean gone = event.type() == WatchEvent.Type.DELETED;
            Map<ObjectKey, KubernetesObject> all = of(kind);
            Optional<T> before = Optional.ofNullable((T) (gone ? all.remove(key) : all.put(key, event.object())));
            if (event.object() instanceof PersistentVolume volume) {
                everKnown.put(key.name(), volume);
            }
            changed = true;
            String client = cluster.lastWrite().map(WriteRecord::client).orElse("");
            Optional<T> after = gone ? Optional.empty() : Optional.of(event.object());
            ObjectWrite<T> write = new ObjectWrite<>(client, kind, key, before, after);
            happened(() -> WriteText.of(write));
            ask(invariant -> invariant.written(Guard.this, write, Guard.this::found));
        }

        @Override
        public void onBookmark(Revision revision) {
            // nothing has changed
        }

        @Override
        public void onEnd(Failure reason, String message) {
            throw new IllegalStateException("the watch of " + kind + " ended: " + message);
        }
    }
}
