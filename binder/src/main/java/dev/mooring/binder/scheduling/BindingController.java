// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Carries out the binds that an embedding scheduler asks for; the keys are pods. */
final class BindingController implements Controller {
    static final String NAME = "volume-binding";
    static final String POD = "pod";

    private final SchedulingOptions options;
    private final SchedulingIndexes indexes;
    private final SilentPools silentPools;
    private final FailureCounts failures;
    private final QueueingHints cues = new QueueingHints();
    private final Map<ObjectKey, Asked> asked = new HashMap<>();
    private long lastNumber;
    private @Nullable Mailbox own;

    /**
     * A bind that was asked for and has not ended.
     *
     * @param number tells it apart from others of the pod: what is remembered of one says nothing about the next
     * @param promise completes when it ends
     */
    private record Asked(long number, CompletableFuture<BindOutcome> promise) {}

    BindingController(SchedulingOptions options, SchedulingIndexes indexes, FailureCounts failures) {
        this.options = options;
        this.indexes = indexes;
        this.silentPools = new SilentPools(indexes);
        this.failures = failures;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return SchedulingIndexes.KINDS;
    }

    @Override
    public FieldSelection reads(Kind<?> kind) {
        return kind == Kinds.POD ? SchedulingIndexes.POD_FIELDS : FieldSelection.ALL;
    }

    @Override
    public void started(Mailbox mailbox) {
        own = mailbox;
    }

    // ---- asked for by the embedder, on the decider's thread ----

    CompletableFuture<BindOutcome> bind(ObjectKey pod) {
        if (own == null) {
            throw new IllegalStateException("the runtime has not begun to decide");
        }
        if (indexes.assumptions().of(pod).isEmpty()) {
            throw new IllegalStateException("pod " + pod + " has no assumed node");
        }
        Asked known = asked.get(pod);
        if (known != null) {
            return known.promise.copy();
        }
        Asked bind = new Asked(++lastNumber, new CompletableFuture<>());
        asked.put(pod, bind);
        own.inputChanged(new Key(POD, pod));
        return bind.promise.copy();
    }

    boolean revert(ObjectKey pod) {
        boolean known = indexes.assumptions().of(pod).isPresent();
        indexes.dropAssumption(pod, true);
        Asked bind = asked.remove(pod);
        if (bind != null && own != null) {
            own.recheck(new Key(POD, pod)); // forgets the state
            bind.promise.complete(BindOutcome.failed("reverted"));
        }
        return known;
    }

    boolean isBinding(ObjectKey pod) {
        return asked.containsKey(pod);
    }

    // ---- the controller ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        Set<QueueingHint> helped = indexes.observe(change);
        silentPools.observe(change, mailbox);
        cues.waitingFor(helped).forEach(pod -> post(new Key(POD, pod), change.origin(), mailbox));
        if (change.concerns(Kinds.POD)) {
            ObjectKey pod = change.key();
            if (asked.containsKey(pod)) {
                post(new Key(POD, pod), change.origin(), mailbox);
            } else if (isSettled(pod, change.as(Kinds.POD).after())) {
                boolean arrived = change.as(Kinds.POD)
                        .after()
                        .filter(now -> !now.spec().nodeName().isEmpty())
                        .isPresent();
                indexes.dropAssumption(pod, !arrived);
            }
        }
    }

    /** Whether the pod has arrived somewhere, or never will. */
    private boolean isSettled(ObjectKey pod, Optional<Pod> now) {
        return indexes.assumptions()
                .of(pod)
                .filter(assumption -> now.filter(found -> found.metadata().uid().equals(assumption.podUid())
                                && found.spec().nodeName().isEmpty()
                                && !found.status().phase().isTerminal())
                        .isEmpty())
                .isPresent();
    }

    private static void post(Key key, Origin origin, Mailbox mailbox) {
        if (origin == Origin.OWN_WRITE) {
            mailbox.recheck(key);
        } else {
            mailbox.inputChanged(key);
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        if (key.type().equals(SilentPools.CLAIM)) {
            return silentPools.decide(key, state, situation);
        }
        Optional<Assumption> assumption = indexes.assumptions().of(key.object());
        Asked bind = asked.get(key.object());
        if (assumption.isEmpty() || bind == null) {
            return Decision.nothing();
        }
        SchedulingView view = new SchedulingView(situation.caches(), indexes, options);
        BindProgress progress = state.map(BindState.class::cast)
                .filter(known -> known.bind() == bind.number)
                .map(BindState::progress)
                .orElseGet(() ->
                        BindProgress.beginning(assumption.get(), situation.now().monotonicNanos()));
        BindStep step = BindSteps.next(progress, situation, view);
        return switch (step.kind()) {
            case GOES_ON ->
                Decision.nothing()
                        .and(step.effects())
                        .withState(new BindState(
                                bind.number,
                                step.progress(),
                                BindQueueingHints.of(assumption.get(), view),
                                Optional.empty()))
                        .wakeAfter(options.bindTimeout()
                                .minus(step.progress().elapsed(situation.now().monotonicNanos())));
            case BOUND -> ended(bind, step, BindOutcome.BOUND);
            case FAILED -> ended(bind, step, BindOutcome.failed(step.message()));
        };
    }

    private static Decision ended(Asked bind, BindStep step, BindOutcome outcome) {
        return Decision.nothing()
                .and(step.effects())
                .withState(new BindState(bind.number, step.progress(), Set.of(), Optional.of(outcome)));
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        if (key.type().equals(SilentPools.CLAIM)) {
            silentPools.applied(key, after); // the embedder asks again by itself: no pod waits here for space
            return;
        }
        ObjectKey pod = key.object();
        Optional<BindState> state = after.map(BindState.class::cast);
        cues.register(pod, state.map(BindState::cues).orElse(Set.of()));
        state.flatMap(BindState::outcome).ifPresent(outcome -> {
            if (!outcome.bound()) {
                failures.add(SchedulingStage.BIND);
                indexes.dropAssumption(pod, true);
            }
            mailbox.recheck(key); // forgets the state
            Asked bind = asked.remove(pod);
            if (bind != null) {
                bind.promise.complete(outcome);
            }
        });
    }
}
