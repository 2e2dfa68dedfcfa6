// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.watch.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;

/**
 * What an ordinary volume of the plugin cannot do, and which calls do not end. One check fails for each of them. The others that need the
 * same are skipped, and the reason names it. Thread-safe.
 */
public final class Prerequisites {
    /** After so many calls that did not end, nothing more is tried: each has taken all of its time. */
    private static final int MOST_HANGING = 3;

    private final Map<String, String> broken = new TreeMap<>();
    private final List<BrokenRule> failures = new ArrayList<>();
    private final TreeSet<String> hanging = new TreeSet<>();
    private int hangs;
    private String tryingStep = "";
    private String lastCall = "";

    /** Names a step of an ordinary volume, for people. */
    static String step(LifeStep step, VolumeMode mode) {
        return step.operation() + (mode == VolumeMode.BLOCK ? " of a raw device" : "");
    }

    /** Names the undoing of a step, for people. */
    static String undoing(LifeStep step, VolumeMode mode) {
        return "undoing " + step(step, mode);
    }

    /** Notes that an ordinary volume cannot do something. */
    synchronized void broke(String what, BrokenRule failure) {
        if (broken.putIfAbsent(what, failure.happened()) == null) {
            failures.add(failure);
        }
    }

    /** Whether an ordinary volume can do it, as far as was tried. */
    synchronized boolean works(String what) {
        return !broken.containsKey(what);
    }

    /** Skips the running check if an ordinary volume cannot do what the check needs. */
    void need(String what) {
        reason(what).ifPresent(Assumptions::abort);
    }

    private synchronized Optional<String> reason(String what) {
        return Optional.ofNullable(broken.get(what))
                .map(why -> "skipped: it needs '" + what + "', which fails for an ordinary volume: " + why);
    }

    /** Why ordinary volumes do not work, in the order in which it was found. */
    public synchronized List<BrokenRule> failures() {
        return List.copyOf(failures);
    }

    /** Notes which step of an ordinary volume is tried next. */
    synchronized void trying(String what) {
        tryingStep = what;
    }

    /** Notes that the ordinary call that was made last does not end. */
    synchronized void neverEnds(BrokenRule failure) {
        hanging.add(lastCall + Trouble.NONE);
        broke(tryingStep, failure);
    }

    /** Notes that a call did not end. In the same trouble it is not made again. */
    synchronized void hung(String call, Trouble trouble) {
        if (trouble != Trouble.NONE) {
            hanging.add(call + trouble);
        }
        hangs++;
    }

    /** Skips the running check if such a call did not end before. */
    void mayCall(String call, Trouble trouble) {
        unanswered(call, trouble).ifPresent(Assumptions::abort);
    }

    /** Notes that a call without a deadline did not end. */
    synchronized void hung() {
        hangs++;
    }

    /** Skips the running check if too many calls did not end. */
    void mayBegin() {
        tooMany().ifPresent(Assumptions::abort);
    }

    private synchronized Optional<String> tooMany() {
        return hangs < MOST_HANGING
                ? Optional.empty()
                : Optional.of("skipped: " + hangs + " calls did not end, and each has taken all of its time: see K15");
    }

    private synchronized Optional<String> unanswered(String call, Trouble trouble) {
        lastCall = call;
        return hanging.contains(call + trouble)
                ? Optional.of("skipped: it calls '" + call + "', which did not end before: see K15")
                : Optional.empty();
    }
}
