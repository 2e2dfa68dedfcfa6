// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import dev.mooring.kubernetes.cluster.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Plays stories on both sides, and compares. Thread-safe: several stories may be played at a time. */
final class DifferentialPlayer {
    private static final Duration LOOK = Duration.ofMillis(40);

    private final ApiClient kubernetes;
    private final ApiClient mooring;
    private final AtomicLong plays = new AtomicLong();

    DifferentialPlayer(ApiClient kubernetes, ApiClient mooring) {
        this.kubernetes = kubernetes;
        this.mooring = mooring;
    }

    /**
     * How long to wait.
     *
     * @param quiet so long nothing has changed on a side that is at rest
     * @param patience so long a difference has to last without a change before it counts
     */
    record Pace(Duration quiet, Duration patience) {
        static final Pace QUICK = new Pace(Duration.ofMillis(250), Duration.ofSeconds(4));
        static final Pace SLOW = new Pace(Duration.ofMillis(1200), Duration.ofSeconds(6));
    }

    /**
     * How a story went.
     *
     * @param steps how many were compared
     * @param declared the differences that are meant
     * @param finding a difference that is not
     */
    record Played(int steps, Set<DeclaredDifference> declared, Optional<Finding> finding) {}

    /**
     * A difference that is not declared.
     *
     * @param step which step of the story it was seen after
     */
    record Finding(int step, List<String> differences, StoryState kubernetes, StoryState mooring) {}

    Played play(DifferentialStory story, Pace pace) throws InterruptedException {
        String prefix = "s" + story.seed() + "x" + plays.incrementAndGet();
        StorySide there = new StorySide(kubernetes, prefix);
        StorySide here = new StorySide(mooring, prefix);
        List<StoryStep> all = new ArrayList<>(story.setup());
        all.addAll(story.steps());
        try {
            for (StoryStep step : story.setup()) {
                there.send(step);
                here.send(step);
            }
            return play(story, there, here, pace);
        } finally {
            there.clear(all);
            here.clear(all);
        }
    }

    private static Played play(DifferentialStory story, StorySide there, StorySide here, Pace pace)
            throws InterruptedException {
        Set<DeclaredDifference> declared = EnumSet.noneOf(DeclaredDifference.class);
        for (int i = 0; i < story.steps().size(); i++) {
            StoryStep step = story.steps().get(i);
            int one = there.send(step);
            int other = here.send(step);
            Compared compared = atRest(there, here, story.steps().subList(0, i + 1), pace);
            List<String> undeclared = new ArrayList<>(compared.undeclared());
            if (one != other) {
                undeclared.add("answers: " + one + " | " + other);
            }
            declared.addAll(compared.declared().keySet());
            if (!undeclared.isEmpty()) {
                return new Played(
                        i + 1,
                        declared,
                        Optional.of(new Finding(i, undeclared, compared.kubernetes(), compared.mooring())));
            }
            if (compared.declared().keySet().stream().anyMatch(DeclaredDifference::parts)) {
                return new Played(i + 1, declared, Optional.empty());
            }
        }
        return new Played(story.steps().size(), declared, Optional.empty());
    }

    private record Compared(
            StoryState kubernetes,
            StoryState mooring,
            Map<DeclaredDifference, String> declared,
            List<String> undeclared) {}

    /** Looks until neither side has changed for a while; a difference that is not meant gets more time. */
    private static Compared atRest(StorySide there, StorySide here, List<StoryStep> steps, Pace pace)
            throws InterruptedException {
        StoryState kubernetes = there.state();
        StoryState mooring = here.state();
        long changed = System.nanoTime();
        while (true) {
            Thread.sleep(LOOK.toMillis());
            StoryState nowThere = there.state();
            StoryState nowHere = here.state();
            if (!nowThere.equals(kubernetes) || !nowHere.equals(mooring)) {
                changed = System.nanoTime();
                kubernetes = nowThere;
                mooring = nowHere;
            }
            long still = System.nanoTime() - changed;
            if (still >= pace.quiet().toNanos()) {
                Compared compared = compare(kubernetes, mooring, steps);
                if (compared.undeclared().isEmpty() || still >= pace.patience().toNanos()) {
                    return compared;
                }
            }
        }
    }

    private static Compared compare(StoryState kubernetes, StoryState mooring, List<StoryStep> steps) {
        DeclaredDifference.Seen seen = new DeclaredDifference.Seen(kubernetes, mooring, steps);
        Map<DeclaredDifference, String> declared = new LinkedHashMap<>();
        List<String> undeclared = new ArrayList<>();
        for (StoryDifference one : StoryDifference.between(kubernetes, mooring)) {
            DeclaredDifference.of(one, seen)
                    .ifPresentOrElse(
                            known -> declared.put(known, one.toString()), () -> undeclared.add(one.toString()));
        }
        return new Compared(kubernetes, mooring, declared, undeclared);
    }

    /** The shortest story that was found to end in a difference still; {@code story} if none is shorter. */
    DifferentialStory shrink(DifferentialStory story, Pace pace, int tries) throws InterruptedException {
        DifferentialStory shortest = story;
        int left = tries;
        for (int i = shortest.steps().size() - 2; i >= 0 && left > 0; i--, left--) {
            DifferentialStory candidate = shortest.without(i);
            if (play(candidate, pace).finding().isPresent()) {
                shortest = candidate;
            }
        }
        return shortest;
    }
}
