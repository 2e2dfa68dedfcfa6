// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small world that is played twice, with its faults and without: the end has to be the same (semantics/binder §7.1, I4), or who has
 * nothing to do with the faults must not have waited for them (semantics/attach-and-mount §7.8, L6).
 */
final class Twin {
    private static final long APART = 0x2545f4914f6cdd1dL;

    /** One world in so many has a twin beside it. */
    private static final int ONE_IN = 12;

    /** How much later something may come to be because of what is none of its business: fewer calls hang than share a back-end. */
    private static final Duration BOUND = Duration.ofSeconds(1);

    private Twin() {}

    /** The acts of the small world of a seed; empty if it has none. */
    static Optional<List<Act>> of(long seed) {
        Chance chance = new Chance(seed * APART + 1);
        if (!chance.oneIn(ONE_IN)) {
            return Optional.empty();
        }
        return Optional.of(chance.oneIn(2) ? TwinActs.oneFault(chance) : TwinActs.errors(chance));
    }

    /** Whether acts are those of a world that has to be compared. */
    static boolean isOne(List<Act> acts) {
        return !acts.isEmpty() && (isNamed(acts, TwinActs.SAME_END) || isNamed(acts, TwinActs.NO_DELAY));
    }

    private static boolean isNamed(List<Act> acts, String name) {
        return acts.get(acts.size() - 1).what().equals(name);
    }

    /** The same acts without faults, at the same times. */
    static List<Act> unharmed(List<Act> acts) {
        List<Act> rest = new ArrayList<>();
        for (Act act : acts) {
            if (act.fault().isEmpty()) {
                rest.add(act);
                continue;
            }
            Map<String, Object> pause = new LinkedHashMap<>(act.step().asMap());
            pause.keySet().retainAll(List.of("advance", "work"));
            if (!pause.isEmpty()) {
                rest.add(new Act("no fault", Document.of(pause), Optional.empty()));
            }
        }
        return rest;
    }

    /** What is wrong with a world, beside the same one without faults. */
    static List<String> compare(List<Act> acts, Played with, Played without) {
        return isNamed(acts, TwinActs.SAME_END) ? otherEnd(with, without) : delays(with, without);
    }

    private static List<String> otherEnd(Played with, Played without) {
        List<String> wrong = new ArrayList<>();
        with.ending().without(without.ending()).forEach(each -> wrong.add("I4: there is " + each));
        without.ending().without(with.ending()).forEach(each -> wrong.add("I4: without the fault there is " + each));
        return wrong;
    }

    private static List<String> delays(Played with, Played without) {
        List<String> wrong = new ArrayList<>();
        without.milestones().forEach((what, then) -> {
            Optional<Duration> now = Optional.ofNullable(with.milestones().get(what));
            boolean inTime =
                    now.filter(time -> time.compareTo(then.plus(BOUND)) <= 0).isPresent();
            if (what.startsWith(TwinActs.FREE) && !inTime) {
                String when =
                        now.map(time -> "after " + time.toSeconds() + " s").orElse("never");
                wrong.add(
                        "L6: " + what + " " + when + ", and after " + then.toSeconds() + " s without errors of others");
            }
        });
        return wrong;
    }

    /**
     * What is compared of a world.
     *
     * @param ending what there is at its end
     * @param milestones when what came to be
     */
    record Played(Ending ending, Map<String, Duration> milestones) {}
}
