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

    private final WorkItems items;
    private final ReadyQueue ready = new ReadyQueue(this::rank);
    private final Timers timers = new Timers();
    private final LongWaits waits = new LongWaits();
    private final BusyTargets targets = new BusyTargets();
    private final InFlight flights = new InFlight();
    private final DecisionGate gate;
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
        items = new WorkItems(controllers);
        caches = new Caches(
                this.controllers.kinds(), this.controllers::reads, this.controllers::interest, this::observe);
        subscriptions = new Subscriptions(
                caches, this::synced, missed -> this.controllers.missing(missed, this::mailbox), this.listener);
        learning = new ReadYourWrites(caches);
        gate = new DecisionGate(caches, targets, timers, waits, this.listener);
    }

    /** The objects as they are known. */
    public Caches caches() {
        return caches;
    }

    /** The key's state, for views of what a controller remembers. */
    public Optional<KeyState> state(String controllerName, Key key) {
        return controllers
                .named(controllerName)
                .flatMap(controller -> items.known(controller, key))
                .flatMap(item -> item.state);
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
    int itemCount() {
        return items.count();
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
            waits.fire(now, this::announce);
        }
        for (WorkItem item = timers.pollDue(now); item != null; item = timers.pollDue(now)) {
            listener.onTimer(item.controller.name(), item.key);
            post(item);
        }
    }

    /** Posts a key from outside, as for an audit. */
    public void recheck(String controllerName, Key key) {
        controllers.named(controllerName).ifPresent(controller -> post(items.of(controller, key)));
    }

    /** Tells a listener each list and watch that is needed, now and later. Called once. */
    public void subscribe(Subscription.Listener subscriber) {
        subscriptions.tell(subscriber);
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
        WorkItem item = ready.poll();
        if (item == null) {
            return false;
        }
        if (item.inFlight > 0) {
            waits.joined(item, controllers.concerns(item, caches), time.now().monotonicNanos());
            return true; // the last result posts it again
        }
        targets.forget(item);
        Time now = time.now();
        if (!item.unread.isEmpty()) {
            rereadOrWait(item, now);
            return true;
        }
        try {
            decide(item, now);
        } catch (Throwable defect) {
            // The pure half of a plugin runs here too; a broken one holds up its keys, not the decider.
            Defects.throwTheMachines(defect);
            holdUp(item, Defects.asException(defect), now);
        }
        forgetIfBlank(item, now);
        return true;
    }

    private void decide(WorkItem item, Time now) {
        Decision wanted = item.controller.decide(
                item.key,
                item.state,
                new Situation(caches, now, item.backoffs.waits(now.monotonicNanos()), item.results));
        Decision decision = gate.withoutRefused(item, wanted, now);
        long decided = measuredNanos();
        if (gate.holdsBack(item, decision, now)) {
            item.dropProofs();
            return;
        }
        Duration waited = Duration.ofNanos(item.woken ? now.monotonicNanos() - item.wokenNanos : 0);
        item.woken = false;
        apply(item, decision, now);
        if (measured) {
            Duration took = Duration.ofNanos(decided - now.monotonicNanos());
            listener.onDecided(
                    item.controller.name(), item.key, new LoopListener.DecisionTimes(waited, took, ready.size()));
        }
    }

    /** The monotonic time, if a listener measures. */
    private long measuredNanos() {
        return measured ? time.now().monotonicNanos() : 0;
    }

    private void holdUp(WorkItem item, RuntimeException defect, Time now) {
        listener.onDefect(item.controller.name(), item.key, defect);
        Backoff backoff = item.backoffs.threw(now.monotonicNanos(), random);
        reportBackoff(item, Backoffs.DEFECT, backoff);
        item.dropProofs();
        timers.set(item, backoff.notBeforeNanos());
    }

    private void apply(WorkItem item, Decision decision, Time now) {
        Optional<KeyState> before = item.state;
        item.state = decision.state();
        item.results.clear();
        item.backoffs.decided();
        decision.wakeAfter()
                .ifPresentOrElse(delay -> timers.set(item, now.monotonicNanosAfter(delay)), () -> timers.cancel(item));
        List<Dispatch> started = new ArrayList<>(decision.effects().size());
        for (Effect effect : decision.effects()) {
            started.add(register(item, effect, decision.concerns(), false));
        }
        waits.applied(item, decision, now.monotonicNanos());
        listener.onDecision(item.controller.name(), item.key, decision);
        controllers.applied(item, before, mailbox(item.controller));
        started.forEach(this::hand);
    }

    private void announce(WorkItem item, Announcement announcement) {
        hand(register(item, new Effect.Announce(announcement), List.of(), false));
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
        Optional<WorkItem> known = items.known(controller.get(), dispatch.key());
        WorkItem item = known.orElseGet(() -> items.of(controller.get(), dispatch.key()));
        if (known.isEmpty()) {
            post(item); // decided once more, so that it is forgotten again
        }
        boolean isNew = item.reported().isNew(notice, time.now().monotonicNanos());
        if (isNew) {
            dispatch.concerns().forEach(concern -> announce(item, concern.saying(notice)));
        }
        return isNew;
    }

    private Dispatch register(WorkItem item, Effect effect, List<Concern> concerns, boolean reread) {
        Dispatch dispatch = flights.dispatch(item, effect, concerns, epoch);
        if (!(effect instanceof Effect.Announce)) {
            effect.target().ifPresent(target -> targets.hold(target, dispatch.id()));
            flights.begin(new Flight(item, dispatch, reread, learning.uidOf(effect), item.former, measuredNanos()));
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
        WorkItem item = flight.item();
        try {
            learning.learn(dispatch.effect(), flight.uid(), result);
        } catch (RuntimeException defect) {
            listener.onDefect(item.controller.name(), item.key, defect);
        }
        item.refused.learn(result, time);
        String operation = dispatch.effect().operation();
        if (!flight.isOfFormerObject()) {
            item.backoffs.settle(result, time, random).ifPresent(backoff -> {
                item.failed(dispatch.effect(), result.message());
                reportBackoff(item, operation, backoff);
            });
        }
        if (flight.reread()) {
            if (!RefreshAfterConflict.mayComeLater(result)) {
                item.hasRead(dispatch.effect());
            }
        } else {
            item.results.add(result);
        }
        RefreshAfterConflict.after(dispatch.effect(), result).ifPresent(read -> {
            item.mustRead(read);
            dispatchReread(item, read);
        });
        if (hasEnded) {
            ended(dispatch);
        }
        if (item.inFlight == 0) {
            post(item);
        }
    }

    /** Learns that a call that outlived its time limit has ended. */
    public void ended(Dispatch dispatch) {
        dispatch.effect()
                .target()
                .ifPresent(target -> targets.release(target, dispatch.id()).forEach(this::post));
    }

    private void dispatchReread(WorkItem item, Effect.Read<?> read) {
        hand(register(item, read, List.of(), true));
    }

    /** Reads again what could not be read; until then the key's objects are not known well enough to decide. */
    private void rereadOrWait(WorkItem item, Time now) {
        List<Effect.Read<?>> reads = List.copyOf(item.unread); // an answer may come at once, and change it
        if (!gate.backsOff(item, reads, now)) {
            reads.forEach(read -> dispatchReread(item, read));
        }
    }

    private Rank rank(WorkItem item) {
        return controllers.rank(item);
    }

    private void reportBackoff(WorkItem item, String operation, Backoff backoff) {
        listener.onBackoff(
                item.controller.name(), item.key, operation, backoff.failures(), Duration.ofNanos(backoff.waitNanos()));
    }

    private void observe(ObjectChange<?> seen) {
        // A watch may show an own write before it is answered; that must not end a back-off either.
        boolean probablyOurs = seen.origin() != Origin.RELEASED && targets.isBusy(Target.of(seen.kind(), seen.key()));
        ObjectChange<?> change = probablyOurs ? seen.from(Origin.OWN_WRITE) : seen;
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

    private void post(WorkItem item) {
        listener.onWake(item.controller.name(), item.key);
        if (measured && !item.woken) {
            item.woken = true;
            item.wokenNanos = measuredNanos();
        }
        if (!caches.synced(controllers.kindsOf(item.controller))) {
            items.awaitSync(item);
        } else {
            ready.add(item);
        }
    }

    /** Says that a plugin can be called again: what has failed and waits for it is tried at once. */
    public void pluginCame(PluginName plugin) {
        items.waitingFor(plugin).forEach(item -> {
            item.backoffs.clear();
            post(item);
        });
    }

    private void forgetIfBlank(WorkItem item, Time now) {
        if (item.blankButForBackoffs()) {
            // A key that wants nothing any more, such as that of an object that has gone, would be remembered for ever
            // for its failures.
            item.backoffs.forgetPast(now.monotonicNanos()).ifPresent(last -> timers.set(item, last));
        }
        if (item.blank()) {
            items.forget(item);
        }
    }

    /** A list was taken in, or none can be read: keys that waited for it may be ready. */
    private void synced() {
        for (Controller controller : controllers.all()) {
            if (caches.synced(controllers.kindsOf(controller))) {
                items.synced(controller).forEach(ready::add);
            }
        }
    }

    private Mailbox mailbox(Controller controller) {
        return new LoopMailbox(
                key -> item(controller, key),
                this::post,
                (what, needed) -> subscriptions.needs(controller.name(), what, needed));
    }

    private WorkItem item(Controller controller, Key key) {
        WorkItem item = items.of(controller, key);
        if (gone.filter(key.object()::equals).isPresent()) {
            item.objectHasGone();
        }
        return item;
    }
}
