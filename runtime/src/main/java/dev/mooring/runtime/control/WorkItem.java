// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything a loop keeps about one key of one controller. Confined to the decider. */
final class WorkItem {
    final Controller controller;
    final Key key;
    Optional<KeyState> state = Optional.empty();
    final List<EffectResult> results = new ArrayList<>(0);
    final Backoffs backoffs = new Backoffs();
    final RefusedWrites refused = new RefusedWrites();
    int inFlight;
    int former; // objects that had the key's name and are gone
    boolean woken; // since the last applied decision, if a listener measures
    long wokenNanos;
    final LongWaits.Wait wait = new LongWaits.Wait();
    private @Nullable Reported reported; // of few keys only
    private String failedOperation = "";
    private String failure = "";
    ReadyQueue.@Nullable Entry ready;
    Timers.@Nullable Entry timer;

    @Nullable
    Target waitsFor;

    /** Objects that have to be read live before the next decision. */
    List<Effect.Read<?>> unread = List.of();

    WorkItem(Controller controller, Key key) {
        this.controller = controller;
        this.key = key;
    }

    /** What its calls have reported. */
    Reported reported() {
        Reported known = reported;
        if (known == null) {
            known = new Reported();
            reported = known;
        }
        return known;
    }

    /** Has an object read live before the next decision. */
    void mustRead(Effect.Read<?> read) {
        if (!unread.contains(read)) {
            List<Effect.Read<?>> more = new ArrayList<>(unread);
            more.add(read);
            unread = more;
        }
    }

    /** An object that had to be read live was. */
    void hasRead(Effect read) {
        List<Effect.Read<?>> rest = new ArrayList<>(unread);
        rest.remove(read);
        unread = rest.isEmpty() ? List.of() : rest;
    }

    /** What was read live proves nothing when the decision is made again. What a call has done stays true. */
    void dropProofs() {
        results.removeIf(
                result -> result.effect() instanceof Effect.Read || result.effect() instanceof Effect.FindLive);
    }

    /** Learns that an effect did not succeed. */
    void failed(Effect effect, String message) {
        failedOperation = effect.operation();
        failure = WaitText.failed(effect, message);
    }

    /** The object of the key's name has gone: another one of the name inherits neither its failures nor their back-offs. */
    void objectHasGone() {
        former++;
        backoffs.clear();
        failedOperation = "";
        failure = "";
    }

    /** How the last operation failed that has not succeeded since; empty if none has. */
    String standingFailure() {
        return !failure.isEmpty() && backoffs.nextAttempt(failedOperation) > 1 ? failure : "";
    }

    /** The same, where an effect is on its way that may belong to the next try; another call is not what failed. */
    String failureOf(Effect effect) {
        return effect instanceof Effect.Perform && !effect.operation().equals(failedOperation) ? "" : standingFailure();
    }

    /** Whether nothing would be lost by forgetting the item. */
    boolean blank() {
        return backoffs.isEmpty() && blankButForBackoffs();
    }

    /** Whether nothing but past failures would be lost by forgetting the item. */
    boolean blankButForBackoffs() {
        return state.isEmpty()
                && results.isEmpty()
                && unread.isEmpty()
                && refused.isEmpty()
                && inFlight == 0
                && ready == null
                && timer == null
                && wait.isEmpty()
                && waitsFor == null;
    }
}
