// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.InFlight.Flight;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.store.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * The decider: caches, mailboxes and key states of some controllers, and the step that turns a posted key into an applied decision.
 * The same loop runs in production and in virtual time; only who calls it and who carries out the effects differs.
 *
 * <p>Rules that hold for every controller, so that none has to keep them itself:
 *
 * <ul>
 *   <li>A key with effects in flight is not decided; it is decided once the last of them has answered.
 *   <li>At most one mutating effect per {@link Target} is in flight. A decision that needs a busy target is thrown away and made again
 *       when the target is free. A call that outlived its time limit keeps its target busy until it has really ended.
 *   <li>After a failure the operation of that key backs off; a decision that contains it is thrown away and made again when the time
 *       has come. Success ends the back-off, and so does {@link Mailbox#inputChanged}. What an object of the key's name left behind when it
 *       went is no failure of another object that takes the name.
 *   <li>A change that the store refused, since it breaks a rule or is not allowed, is not asked for again while the object is as it was
 *       then. The rest of such a decision is carried out.
 *   <li>After a conflict or a lost answer the object is read live before the key is decided again; a first conflict is retried at once.
 *   <li>No decision is made before the controller's kinds are synced, or while the loop does not lead.
 *   <li>A controller that throws holds up its key only.
 * </ul>
 *
 * <p>Confined to one thread, the decider's.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControlLoop {
    private final Controllers controllers;
    private final Caches caches;
    private final Subscriptions subscriptions;
    private final ReadYourWrites learning;
    private final TimeSource time;
    private final RandomGenerator random;
    private final LoopListener listener;
    private final boolean measured;
    private final EffectSink sink;

    private final WorkItems slots;
    private final ReadyQueue ready = new ReadyQueue(this::rank);
    private final Timers timers = new Timers();
    private final LongWaits waits = new LongWaits();
    private final BusyTargets targets = new BusyTargets();
    private final InFlight flights = new InFlight();
    private Optional<ObjectKey> gone = Optional.empty(); // what controllers observe the end of
    private long epoch;
    private boolean leading;

    /**
     * Makes a loop that leads no epoch yet.
     *
     * @param controllers the controllers, each with a name of its own, in the order in which they observe changes
     * @param time both clocks
     * @param random the source of jitter
     * @param listener hears of the loop's work
     * @param sink carries out the effects
     * @throws IllegalArgumentException if two controllers have one name; the message has it
     */
    public ControlLoop(
            List<Controller> controllers,
            TimeSource time,
            RandomGenerator random,
            LoopListener listener,
            EffectSink sink) {
        this.time = time;
        this.random = random;
        this.listener = GuardedListener.around(listener);
        this.measured = this.listener.measures();
        this.sink = sink;
        this.controllers = new Controllers(controllers, this.listener);
        slots = new WorkItems(controllers);
        caches = new Caches(
                this.controllers.kinds(), this.controllers::reads, this.controllers::interest, this::observe);
        subscriptions = new Subscriptions(
                caches, this::synced, missed -> this.controllers.missing(missed, this::mailbox), this.listener);
        learning = new ReadYourWrites(caches);
    }

    /** The objects as they are known. */
    public Caches caches() {
        return caches;
    }

    /** The key's state, for views of what a controller remembers. */
    public Optional<KeyState> state(String controllerName, Key key) {
        return controllers
                .named(controllerName)
                .flatMap(controller -> slots.known(controller, key))
                .flatMap(slot -> slot.state);
    }

    /** Begins to decide, in a leader epoch later than any before. */
    public void lead(long newEpoch) {
        if (newEpoch <= epoch) {
            throw new IllegalArgumentException("epoch " + newEpoch + " is not later than " + epoch);
        }
        epoch = newEpoch;
        leading = true;
        waits.begin(time.now().monotonicNanos());
        listener.onLead(epoch);
        controllers.started(this::mailbox);
    }

    /** Stops deciding. Effects in flight continue; the interpreter starts nothing more of this epoch. */
    public void standDown() {
        if (leading) {
            leading = false;
            listener.onStandDown(epoch);
        }
    }

    /** The epoch led now; 0 if the loop does not lead. */
    public long leadingEpoch() {
        return leading ? epoch : 0;
    }

    /** How many keys are remembered; for tests. */
    int slotCount() {
        return slots.count();
    }

    /** Whether effects are in flight. */
    public boolean hasEffectsInFlight() {
        return !flights.isEmpty();
    }

    /** The effects in flight, in the order in which they were started. */
    public List<Dispatch> effectsInFlight() {
        return flights.dispatches();
    }

    /** Whether a key waits for a decision that could be made now. */
    public boolean hasReadyKeys() {
        return leading && !ready.isEmpty();
    }

    /** The monotonic time of the next timer. */
    public OptionalLong nextTimerNanos() {
        OptionalLong wait = leading ? waits.next() : OptionalLong.empty();
        OptionalLong timer = timers.next();
        return wait.isEmpty() || (timer.isPresent() && timer.getAsLong() <= wait.getAsLong()) ? timer : wait;
    }

    /** Posts the keys whose timers are due, and announces what objects have waited for too long. */
    public void fireTimers() {
        long now = time.now().monotonicNanos();
        if (leading) {
            waits.fire(now, this::tell);
        }
        for (WorkItem slot = timers.pollDue(now); slot != null; slot = timers.pollDue(now)) {
            listener.onTimer(slot.controller.name(), slot.key);
            post(slot);
        }
    }

    /** Posts a key from outside, as for an audit. */
    public void recheck(String controllerName, Key key) {
        controllers.named(controllerName).ifPresent(controller -> post(slots.of(controller, key)));
    }

    /** Has a listener told of every list and watch that is needed, now and from now on. Called once. */
    public void subscribe(Subscription.Listener told) {
        subscriptions.tell(told);
    }

    /** Learns a whole list of a kind that is followed as a whole; the keys of controllers that waited for it become ready. */
    public <T extends KubernetesObject> void listed(Kind<T> kind, List<T> objects, Revision revision) {
        subscriptions.listed(kind, objects, revision);
    }

    /** Makes one decision; answers whether there was a key to decide. */
    public boolean decideNext() {
        if (!leading) {
            return false;
        }
        WorkItem slot = ready.poll();
        if (slot == null) {
            return false;
        }
        if (slot.inFlight > 0) {
            waits.joined(slot, controllers.concerns(slot, caches), time.now().monotonicNanos());
            return true; // the last result posts it again
        }
        targets.forget(slot);
        Time now = time.now();
        if (!slot.unread.isEmpty()) {
            rereadOrWait(slot, now);
            return true;
        }
        try {
            decide(slot, now);
        } catch (Throwable defect) {
            // The pure half of a plugin runs here too; a broken one holds up its keys, not the decider.
            Defects.throwTheMachines(defect);
            holdUp(slot, Defects.asException(defect), now);
        }
        forgetIfBlank(slot, now);
        return true;
    }

    private void decide(WorkItem slot, Time now) {
        Decision wanted = slot.controller.decide(
                slot.key,
                slot.state,
                new Situation(caches, now, slot.backoffs.waits(now.monotonicNanos()), slot.results));
        Decision decision = withoutRefused(slot, wanted, now);
        long decided = measuredNanos();
        if (heldBack(slot, decision, now)) {
            dropProofs(slot);
            return;
        }
        Duration waited = Duration.ofNanos(slot.woken ? now.monotonicNanos() - slot.wokenNanos : 0);
        slot.woken = false;
        apply(slot, decision, now);
        if (measured) {
            Duration took = Duration.ofNanos(decided - now.monotonicNanos());
            listener.onDecided(
                    slot.controller.name(), slot.key, new LoopListener.DecisionTimes(waited, took, ready.size()));
        }
    }

    private Decision withoutRefused(WorkItem slot, Decision wanted, Time now) {
        if (slot.refused.isEmpty()) {
            return wanted;
        }
        slot.refused.forgetOld(caches, now.monotonicNanos());
        for (Effect effect : wanted.effects()) {
            if (slot.refused.contains(effect)) {
                listener.onHeldBack(slot.controller.name(), slot.key, effect);
            }
        }
        return slot.refused.without(wanted, now.monotonicNanos());
    }

    /** The monotonic time, if a listener measures. */
    private long measuredNanos() {
        return measured ? time.now().monotonicNanos() : 0;
    }

    private void holdUp(WorkItem slot, RuntimeException defect, Time now) {
        listener.onDefect(slot.controller.name(), slot.key, defect);
        Backoff backoff = slot.backoffs.threw(now.monotonicNanos(), random);
        tellBackoff(slot, Backoffs.DEFECT, backoff);
        dropProofs(slot);
        timers.set(slot, backoff.notBeforeNanos());
    }

    /** What was read live proves nothing by the time the decision is made again; what a call has done stays true. */
    private static void dropProofs(WorkItem slot) {
        slot.results.removeIf(
                result -> result.effect() instanceof Effect.Read || result.effect() instanceof Effect.FindLive);
    }

    private boolean heldBack(WorkItem slot, Decision decision, Time now) {
        BusyTargets.requireDistinct(decision);
        long notBefore = slot.backoffs.notBefore(decision.effects(), now.monotonicNanos());
        if (notBefore != Long.MIN_VALUE) {
            timers.setNoLater(slot, notBefore); // the last decision may have asked to be looked at before
            Effect held = decision.effects().get(0);
            waits.heldBack(slot, decision, held, now.monotonicNanos());
            listener.onHeldBack(slot.controller.name(), slot.key, held);
            return true;
        }
        for (Effect effect : decision.effects()) {
            Optional<Target> busy = effect.target().filter(targets::isBusy);
            if (busy.isPresent()) {
                targets.await(busy.get(), slot);
                waits.heldBack(slot, decision, effect, now.monotonicNanos());
                listener.onHeldBack(slot.controller.name(), slot.key, effect);
                return true;
            }
        }
        return false;
    }

    private void apply(WorkItem slot, Decision decision, Time now) {
        Optional<KeyState> before = slot.state;
        slot.state = decision.state();
        slot.results.clear();
        slot.backoffs.decided();
        decision.wakeAfter()
                .ifPresentOrElse(delay -> timers.set(slot, now.monotonicNanosAfter(delay)), () -> timers.cancel(slot));
        List<Dispatch> started = new ArrayList<>(decision.effects().size());
        for (Effect effect : decision.effects()) {
            started.add(register(slot, effect, decision.concerns(), false));
        }
        waits.applied(slot, decision, now.monotonicNanos());
        listener.onDecision(slot.controller.name(), slot.key, decision);
        controllers.applied(slot, before, mailbox(slot.controller));
        started.forEach(this::hand);
    }

    private void tell(WorkItem slot, Announcement news) {
        hand(register(slot, new Effect.Announce(news), List.of(), false));
    }

    private void hand(Dispatch dispatch) {
        listener.onEffect(dispatch);
        sink.accept(dispatch);
    }

    /**
     * Takes a notice of a running call, also of one that outlived its time limit. It becomes an event on the concerned objects.
     *
     * @return whether it is new; what was said of late of the same key is not, and neither is anything beyond a bound
     */
    public boolean reported(Dispatch dispatch, Notice notice) {
        Optional<Controller> controller = controllers.named(dispatch.controller());
        if (controller.isEmpty() || !leading) {
            return false;
        }
        Optional<WorkItem> known = slots.known(controller.get(), dispatch.key());
        WorkItem slot = known.orElseGet(() -> slots.of(controller.get(), dispatch.key()));
        if (known.isEmpty()) {
            post(slot); // decided once more, so that it is forgotten again
        }
        boolean isNew = slot.reported().isNew(notice, time.now().monotonicNanos());
        if (isNew) {
            dispatch.concerns().forEach(concern -> tell(slot, concern.saying(notice)));
        }
        return isNew;
    }

    private Dispatch register(WorkItem slot, Effect effect, List<Concern> concerns, boolean reread) {
        Dispatch dispatch = flights.dispatch(slot, effect, concerns, epoch);
        if (!(effect instanceof Effect.Announce)) {
            effect.target().ifPresent(target -> targets.hold(target, dispatch.id()));
            flights.begin(new Flight(slot, dispatch, reread, learning.uidOf(effect), slot.former, measuredNanos()));
        }
        return dispatch;
    }

    /**
     * Learns what became of an effect.
     *
     * @param hasEnded false if a call outlived its time limit and still runs: its target stays busy until {@link #ended}
     */
    public void completed(Dispatch dispatch, EffectResult result, boolean hasEnded) {
        flights.end(dispatch).ifPresent(flight -> landed(flight, result, hasEnded));
    }

    private void landed(Flight flight, EffectResult result, boolean hasEnded) {
        Dispatch dispatch = flight.dispatch();
        listener.onResult(dispatch, result);
        if (measured) {
            listener.onFinished(dispatch, result, Duration.ofNanos(measuredNanos() - flight.startedNanos()));
        }
        WorkItem slot = flight.slot();
        try {
            learning.learn(dispatch.effect(), flight.uid(), result);
        } catch (RuntimeException defect) {
            listener.onDefect(slot.controller.name(), slot.key, defect);
        }
        slot.refused.learn(result, time);
        String operation = dispatch.effect().operation();
        if (!flight.isOfFormerObject()) {
            slot.backoffs.settle(result, time, random).ifPresent(backoff -> {
                slot.failed(dispatch.effect(), result.message());
                tellBackoff(slot, operation, backoff);
            });
        }
        if (flight.reread()) {
            if (!RefreshAfterConflict.mayComeLater(result)) {
                slot.hasRead(dispatch.effect());
            }
        } else {
            slot.results.add(result);
        }
        RefreshAfterConflict.after(dispatch.effect(), result).ifPresent(read -> {
            slot.mustRead(read);
            dispatchReread(slot, read);
        });
        if (hasEnded) {
            ended(dispatch);
        }
        if (slot.inFlight == 0) {
            post(slot);
        }
    }

    /** Learns that a call that outlived its time limit has ended. */
    public void ended(Dispatch dispatch) {
        dispatch.effect()
                .target()
                .ifPresent(target -> targets.release(target, dispatch.id()).forEach(this::post));
    }

    private void dispatchReread(WorkItem slot, Effect.Read<?> read) {
        hand(register(slot, read, List.of(), true));
    }

    /** Reads again what could not be read; until then the key's objects are not known well enough to decide. */
    private void rereadOrWait(WorkItem slot, Time now) {
        List<Effect.Read<?>> reads = List.copyOf(slot.unread); // an answer may come at once, and change it
        long notBefore = slot.backoffs.notBefore(reads, now.monotonicNanos());
        if (notBefore != Long.MIN_VALUE) {
            timers.setNoLater(slot, notBefore);
            listener.onHeldBack(slot.controller.name(), slot.key, reads.get(0));
            return;
        }
        reads.forEach(read -> dispatchReread(slot, read));
    }

    private Rank rank(WorkItem slot) {
        return controllers.rank(slot);
    }

    private void tellBackoff(WorkItem slot, String operation, Backoff backoff) {
        listener.onBackoff(
                slot.controller.name(), slot.key, operation, backoff.failures(), Duration.ofNanos(backoff.waitNanos()));
    }

    private void observe(ObjectChange<?> told) {
        // A watch may show an own write before it is answered; that must not end a back-off either.
        boolean probablyOurs = told.origin() != Origin.RELEASED && targets.isBusy(Target.of(told.kind(), told.key()));
        ObjectChange<?> change = probablyOurs ? told.from(Origin.OWN_WRITE) : told;
        listener.onChange(change);
        Optional<ObjectKey> outer = gone; // what is released meanwhile is observed within
        gone = Optional.of(change.key()).filter(key -> endsFailures(change));
        controllers.observe(change, this::mailbox);
        gone = outer;
    }

    /** The name of an attachment is that of its volume and node: what fails for them fails for the next attachment, too. */
    private static boolean endsFailures(ObjectChange<?> change) {
        return change.after().isEmpty()
                && change.origin() != Origin.RELEASED
                && !change.concerns(Kinds.VOLUME_ATTACHMENT);
    }

    private void post(WorkItem slot) {
        listener.onWake(slot.controller.name(), slot.key);
        if (measured && !slot.woken) {
            slot.woken = true;
            slot.wokenNanos = measuredNanos();
        }
        if (!caches.synced(controllers.kindsOf(slot.controller))) {
            slots.awaitSync(slot);
        } else {
            ready.add(slot);
        }
    }

    /** Says that a plugin can be called again: what has failed and waits for it is tried at once. */
    public void pluginCame(PluginName plugin) {
        slots.waitingFor(plugin).forEach(slot -> {
            slot.backoffs.clear();
            post(slot);
        });
    }

    private void forgetIfBlank(WorkItem slot, Time now) {
        if (slot.blankButForBackoffs()) {
            // A key that wants nothing any more, such as that of an object that has gone, would be remembered for ever
            // for its failures.
            slot.backoffs.forgetPast(now.monotonicNanos()).ifPresent(last -> timers.set(slot, last));
        }
        if (slot.blank()) {
            slots.forget(slot);
        }
    }

    /** A list was taken in, or cannot be had: keys that waited for it may be ready. */
    private void synced() {
        for (Controller controller : controllers.all()) {
            if (caches.synced(controllers.kindsOf(controller))) {
                slots.synced(controller).forEach(ready::add);
            }
        }
    }

    private Mailbox mailbox(Controller controller) {
        return new LoopMailbox(
                key -> slot(controller, key),
                this::post,
                (what, needed) -> subscriptions.needs(controller.name(), what, needed));
    }

    private WorkItem slot(Controller controller, Key key) {
        WorkItem slot = slots.of(controller, key);
        if (gone.filter(key.object()::equals).isPresent()) {
            slot.objectHasGone();
        }
        return slot;
    }
}
