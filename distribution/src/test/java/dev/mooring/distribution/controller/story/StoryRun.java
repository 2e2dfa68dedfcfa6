// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import dev.mooring.distribution.controller.story.DifferentialPlayer.Finding;
import dev.mooring.distribution.controller.story.DifferentialPlayer.Pace;
import dev.mooring.distribution.controller.story.DifferentialPlayer.Played;
import dev.mooring.kubernetes.cluster.ApiClient;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/** Plays many stories, several at a time, and says what came of them. */
public final class StoryRun {
    private static final int TRIES_TO_SHRINK = 20;

    private final DifferentialPlayer player;
    private final ReentrantLock oneAlone = new ReentrantLock();
    private final List<String> undeclared = new ArrayList<>();
    private final Map<DeclaredDifference, Integer> declared = new EnumMap<>(DeclaredDifference.class);
    private int stories;
    private int steps;
    private int seenOnce;

    /** A run that has played nothing yet. */
    public StoryRun(ApiClient kubernetes, ApiClient mooring) {
        this.player = new DifferentialPlayer(kubernetes, mooring);
    }

    /** Makes what stories take for granted: the node of local volumes, and what pods need to be created. */
    public static void prepare(ApiClient api) {
        api.send(
                "POST",
                "/api/v1/nodes",
                "{\"metadata\":{\"name\":\"n1\",\"labels\":{\"kubernetes.io/hostname\":\"n1\"}}}");
        api.send("POST", "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
    }

    /**
     * Plays the stories of so many seeds.
     *
     * @param atATime how many are played side by side; of those that have to do with default classes only one
     */
    public void play(long first, int count, int atATime) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(atATime);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (long seed = first; seed < first + count; seed++) {
                DifferentialStory story = StoryMaker.story(seed);
                all.add(threads.submit(() -> {
                    playOne(story);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void playOne(DifferentialStory story) throws InterruptedException {
        if (!story.isAlone()) {
            judge(story);
            return;
        }
        oneAlone.lockInterruptibly();
        try {
            judge(story);
        } finally {
            oneAlone.unlock();
        }
    }

    private void judge(DifferentialStory story) throws InterruptedException {
        Played played = player.play(story, Pace.QUICK);
        count(played);
        if (played.finding().isEmpty()) {
            return;
        }
        DifferentialStory shorter = story.upTo(played.finding().get().step());
        Optional<Finding> again = player.play(shorter, Pace.SLOW).finding();
        if (again.isEmpty()) {
            note();
            return;
        }
        DifferentialStory shortest = player.shrink(shorter, Pace.SLOW, TRIES_TO_SHRINK);
        Finding finding = player.play(shortest, Pace.SLOW).finding().orElse(again.get());
        report(text(shortest, finding));
    }

    private synchronized void count(Played played) {
        stories++;
        steps += played.steps();
        played.declared().forEach(each -> declared.merge(each, 1, Integer::sum));
    }

    private synchronized void note() {
        seenOnce++;
    }

    private synchronized void report(String text) {
        undeclared.add(text);
        System.out.println(text);
    }

    private static String text(DifferentialStory story, Finding finding) {
        StringBuilder text =
                new StringBuilder("story of seed ").append(story.seed()).append('\n');
        for (int i = 0; i < story.steps().size(); i++) {
            text.append("  ")
                    .append(i + 1)
                    .append(". ")
                    .append(story.steps().get(i))
                    .append('\n');
        }
        text.append("  kube-controller-manager | mooring after step ")
                .append(finding.step() + 1)
                .append('\n');
        finding.differences().forEach(each -> text.append("    ").append(each).append('\n'));
        return text.append("  with kube-controller-manager:\n")
                .append(finding.kubernetes())
                .append("\n  with mooring:\n")
                .append(finding.mooring())
                .toString();
    }

    /** Stories, with their steps and both states, that end in a difference that is not declared. */
    public synchronized List<String> undeclared() {
        return List.copyOf(undeclared);
    }

    /** How many steps were compared. */
    public synchronized int steps() {
        return steps;
    }

    /** For people: what was played and found. */
    public synchronized String summary() {
        return "stories: " + stories + ", steps: " + steps + ", undeclared differences: " + undeclared.size()
                + ", not seen again when played slowly: " + seenOnce + ", declared: " + declared;
    }
}
