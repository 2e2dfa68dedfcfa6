// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The small scheduler of clusters that have no other: gives every pod without a node one that takes it and that its volumes can be
 * reached from. A pod is assumed to be on its way as soon as a node is chosen, so the next decision counts with it; then its volumes are
 * bound, and then it gets its {@code nodeName}. It does not look at processors and memory, and takes no pod away.
 */
final class SchedulerController implements Controller {
    static final String NAME = "scheduler";
    static final String POD = "pod";
    private static final String DEFAULT_SCHEDULER = "default-scheduler";
    private static final String ASSIGN = "assign-node";
    private static final int AFTER_THE_BINDER = 50;

    private final SchedulingOptions options;
    private final SchedulingIndexes indexes;
    private final SilentPools silentPools;
    private final QueueingHints cues = new QueueingHints();

    SchedulerController(SchedulingOptions options) {
        this.options = options;
        this.indexes = new SchedulingIndexes(options);
        this.silentPools = new SilentPools(indexes);
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

    // ---- what wakes a pod ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        Set<QueueingHint> helped = indexes.observe(change);
        silentPools.observe(change, mailbox);
        if (change.concerns(Kinds.POD)) {
            ObjectChange<Pod> pod = change.as(Kinds.POD);
            boolean concerned = pod.before().filter(SchedulerController::isOurs).isPresent()
                    || pod.after().filter(SchedulerController::isOurs).isPresent();
            if (concerned) {
                post(new Key(POD, change.key()), change.origin(), mailbox);
            }
        }
        cues.waitingFor(helped).forEach(pod -> post(new Key(POD, pod), change.origin(), mailbox));
    }

    private static void post(Key key, Origin origin, Mailbox mailbox) {
        if (origin == Origin.OWN_WRITE) {
            mailbox.recheck(key);
        } else {
            mailbox.inputChanged(key);
        }
    }

    /** Whether the pod is this scheduler's, has no node yet, and no scheduling gate holds it back. */
    private static boolean isOurs(Pod pod) {
        String scheduler = pod.spec().schedulerName();
        return pod.spec().nodeName().isEmpty()
                && pod.spec().schedulingGates().isEmpty()
                && (scheduler.isEmpty() || scheduler.equals(DEFAULT_SCHEDULER))
                && !pod.metadata().isDeleting()
                && !pod.status().phase().isTerminal();
    }

    /** Kubernetes' queue: first come, first served. */
    @Override
    public Rank rank(Key key) {
        if (key.type().equals(SilentPools.CLAIM)) {
            return Rank.tier(AFTER_THE_BINDER);
        }
        Instant created = indexes.pods()
                .get(key.object())
                .flatMap(pod -> pod.metadata().creationTimestamp())
                .orElse(Instant.EPOCH);
        return new Rank(AFTER_THE_BINDER, List.of(created, key.object()));
    }

    // ---- deciding ----

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        if (key.type().equals(SilentPools.CLAIM)) {
            return silentPools.decide(key, state, situation);
        }
        Optional<Pod> found = situation.caches().get(Kinds.POD, key.object());
        String uid = found.map(pod -> pod.metadata().uid()).orElse("");
        return ObjectState.decide(
                uid,
                state,
                situation,
                (known, own) -> decide(found, known.map(PodState.class::cast).orElse(PodState.NONE), own));
    }

    private Decision decide(Optional<Pod> found, PodState known, Situation situation) {
        if (found.filter(SchedulerController::isOurs).isEmpty()) {
            return found.flatMap(pod -> scheduled(pod, known))
                    .map(Decision::act)
                    .orElse(Decision.nothing());
        }
        Pod pod = found.get();
        SchedulingView view = new SchedulingView(situation.caches(), indexes, options);
        if (known.binding().isPresent()) {
            return bind(pod, known, known.binding().get(), situation, view).concerning(concern(pod));
        }
        Optional<Duration> pause = known.remaining(situation.now());
        return pause.isPresent()
                ? Decision.remember(known).wakeAfter(pause.get())
                : choose(pod, known, situation, view).concerning(concern(pod));
    }

    /** The pod has got the node that we chose: people are told. */
    private static Optional<Effect> scheduled(Pod pod, PodState known) {
        String node = pod.spec().nodeName();
        return known.binding()
                .filter(progress -> progress.assumption().node().equals(node))
                .map(progress -> Announcement.normal(
                        Kinds.POD,
                        pod,
                        "Scheduled",
                        "Successfully assigned " + ObjectKey.of(pod) + " to " + node,
                        DEFAULT_SCHEDULER));
    }

    private Decision choose(Pod pod, PodState known, Situation situation, SchedulingView view) {
        NodeChoosing.Choice choice = NodeChoosing.choose(pod, view);
        if (choice.assumption().isPresent()) {
            BindProgress beginning = BindProgress.beginning(
                    choice.assumption().get(), situation.now().monotonicNanos());
            return bind(pod, known, beginning, situation, view);
        }
        PodState waiting = known.waiting(choice.message(), choice.cues());
        return withNews(pod, known, Decision.remember(waiting), choice.message());
    }

    private Decision bind(Pod pod, PodState known, BindProgress progress, Situation situation, SchedulingView view) {
        BindStep step = BindSteps.next(progress, situation, view);
        return switch (step.kind()) {
            case BOUND ->
                Decision.act(assign(pod, progress.assumption().node()))
                        .withState(known.binding(step.progress(), BindQueueingHints.of(progress.assumption(), view)));
            case GOES_ON ->
                Decision.nothing()
                        .and(step.effects())
                        .withState(known.binding(step.progress(), BindQueueingHints.of(progress.assumption(), view)))
                        .wakeAfter(options.bindTimeout()
                                .minus(step.progress().elapsed(situation.now().monotonicNanos())))
                        .waitingFor("the volumes of the pod are not yet bound to volumes that node \""
                                + progress.assumption().node() + "\", which was chosen for it, can reach");
            case FAILED -> failed(pod, known, step, situation);
        };
    }

    private static Concern concern(Pod pod) {
        return Concern.of(Kinds.POD, pod, "FailedScheduling", DEFAULT_SCHEDULER);
    }

    private static Effect assign(Pod pod, String node) {
        return new Effect.Update<>(
                ASSIGN, Kinds.POD, new Change<>(pod, pod.withSpec(pod.spec().withNodeName(node))));
    }

    private static Decision failed(Pod pod, PodState known, BindStep step, Situation situation) {
        String news = "running PreBind plugin \"VolumeBinding\": binding volumes: " + step.message();
        Decision decision = Decision.remember(known.failed(news, situation.now()))
                .and(step.effects())
                .wakeAfter(known.pause());
        return withNews(pod, known, decision, news);
    }

    private static Decision withNews(Pod pod, PodState known, Decision decision, String news) {
        return news.equals(known.told())
                ? decision
                : decision.and(Announcement.warning(Kinds.POD, pod, "FailedScheduling", news, DEFAULT_SCHEDULER));
    }

    // ---- what follows from an applied decision ----

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        if (key.type().equals(SilentPools.CLAIM)) {
            recheck(silentPools.applied(key, after), mailbox);
            return;
        }
        ObjectKey pod = key.object();
        PodState was = ObjectState.stateOf(before).map(PodState.class::cast).orElse(PodState.NONE);
        PodState is = ObjectState.stateOf(after).map(PodState.class::cast).orElse(PodState.NONE);
        Optional<Assumption> assumed = is.binding().map(BindProgress::assumption);
        cues.register(pod, is.cues());
        if (assumed.isPresent()) {
            if (!indexes.assumptions().of(pod).equals(assumed)) {
                indexes.assumptions().put(assumed.get());
            }
        } else if (was.binding().isPresent()) {
            boolean placed = indexes.pods()
                    .get(pod)
                    .filter(p -> !p.spec().nodeName().isEmpty())
                    .isPresent();
            Set<QueueingHint> helped = indexes.dropAssumption(pod, !placed);
            recheck(helped, mailbox);
        }
    }

    private void recheck(Set<QueueingHint> helped, Mailbox mailbox) {
        cues.waitingFor(helped).forEach(pod -> mailbox.recheck(new Key(POD, pod)));
    }
}
