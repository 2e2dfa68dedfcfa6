// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What pods see: their data, read-only volumes, and each other's coming and going. */
final class PodChecks {
    private static final String MARK = "kit-mark";
    private static final String TEXT = "written by the kit";

    /** None that a plugin is likely to give. */
    private static final int MODE = 0751;

    private PodChecks() {}

    static List<Check> of(Bench bench) {
        if (!LifeStep.PUBLISH.applies(bench)) {
            return List.of();
        }
        return List.of(
                Check.of(Rule.PODS_INDEPENDENT, "two pods, in every order", PodChecks::everyOrder),
                Check.of(Rule.READ_ONLY_FROM_THE_START, "publish", PodChecks::readOnly),
                Check.of(Rule.DATA_KEPT, "publish", PodChecks::dataStays));
    }

    static boolean shows(VolumeLife life) {
        return life.capability(Publishing.class).showsMounts();
    }

    /** After unpublishing there is nothing at the target. */
    static void gone(VolumeLife life, PodRef pod, Rule rule) {
        if (shows(life)) {
            Path target = life.target(pod);
            require(!life.bench().exists(target), rule, target + " still exists after unpublish");
        }
    }

    private static Outcome<PluginState> publish(VolumeLife life, PodRef pod, boolean readOnly) {
        return LifeStep.publish(life, pod, readOnly, life.context("publish " + pod.uid()));
    }

    static void must(VolumeLife life, PodRef pod, Rule rule) {
        Outcome<PluginState> outcome = publish(life, pod, false);
        require(outcome.isDone(), rule, "publishing to " + pod + " was answered with " + Answers.text(outcome));
    }

    /** Publish and unpublish for two pods, in all 24 orders: each is Done, and what is shown is what was said last. */
    private static void everyOrder(Bench bench) {
        List<List<Integer>> orders = permutations(List.of(0, 1, 2, 3));
        int stride = Math.max(1, orders.size() / bench.subject().points());
        for (int i = 0; i < orders.size(); i += stride) {
            List<Integer> order = orders.get(i);
            VolumeLife life = bench.life(1);
            life.before(LifeStep.PUBLISH);
            Set<String> before = bench.inventory();
            boolean[] shown = new boolean[2];
            for (int act : order) {
                int pod = act % 2;
                boolean on = act < 2;
                Outcome<?> outcome = on ? publish(life, life.pod(pod), false) : LifeStep.unpublish(life, life.pod(pod));
                String what = (on ? "publish" : "unpublish") + " for pod " + pod + " in the order " + words(order);
                require(outcome.isDone(), Rule.PODS_INDEPENDENT, what + " was answered with " + Answers.text(outcome));
                shown[pod] = on;
                for (int each = 0; each < 2; each++) {
                    seen(life, life.pod(each), shown[each], what);
                }
            }
            LifeStep.unpublish(life, life.pod(0));
            LifeStep.unpublish(life, life.pod(1));
            same(
                    before,
                    bench.inventory(),
                    Rule.NOTHING_LEFT_BEHIND,
                    "after all pods went, in the order " + words(order));
            life.end();
        }
    }

    private static void seen(VolumeLife life, PodRef pod, boolean shown, String after) {
        if (shows(life)) {
            boolean mounted = life.bench().mountAt(life.target(pod)).isPresent();
            require(
                    mounted == shown,
                    Rule.PODS_INDEPENDENT,
                    "after " + after + " the volume of " + pod + (mounted ? " is still there" : " is gone"));
        }
    }

    private static List<String> words(List<Integer> order) {
        return order.stream()
                .map(act -> (act < 2 ? "publish " : "unpublish ") + act % 2)
                .toList();
    }

    private static List<List<Integer>> permutations(List<Integer> of) {
        if (of.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Integer>> all = new ArrayList<>();
        for (Integer first : of) {
            List<Integer> rest = new ArrayList<>(of);
            rest.remove(first);
            for (List<Integer> tail : permutations(rest)) {
                List<Integer> whole = new ArrayList<>(List.of(first));
                whole.addAll(tail);
                all.add(whole);
            }
        }
        return all;
    }

    private static void readOnly(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        bench.watch().forgetMounts();
        PodRef pod = life.pod(1);
        Outcome<PluginState> outcome = publish(life, pod, true);
        require(
                outcome.isDone() || outcome.isRefused(),
                Rule.READ_ONLY_FROM_THE_START,
                "a read-only request was answered with " + Answers.text(outcome));
        if (outcome.isDone()) {
            require(
                    bench.watch().writableMounts().isEmpty(),
                    Rule.READ_ONLY_FROM_THE_START,
                    "it asked for " + bench.watch().writableMounts());
            boolean writable = bench.write(life.target(pod), MARK, TEXT).isDone();
            require(!writable, Rule.READ_ONLY_FROM_THE_START, "a file could be written to " + life.target(pod));
        }
        LifeStep.unpublish(life, pod);
        life.end();
    }

    private static void dataStays(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        must(life, life.pod(1), Rule.DATA_KEPT);
        Outcome<?> written = bench.write(life.target(life.pod(1)), MARK, TEXT);
        require(written.isDone(), Rule.DATA_KEPT, "a pod cannot write: " + Answers.text(written));
        // A file system that knows no modes may take one and forget it.
        boolean owned = bench.setMode(life.target(life.pod(1)), MODE).isDone()
                && bench.mode(life.target(life.pod(1))).equals(Optional.of(MODE));
        must(life, life.pod(1), Rule.DATA_KEPT);
        read(life, life.pod(1), "after publishing again");
        must(life, life.pod(2), Rule.DATA_KEPT);
        read(life, life.pod(2), "in another pod");
        if (owned) {
            modeStays(life, life.pod(2));
        }
        LifeStep.unpublish(life, life.pod(1));
        read(life, life.pod(2), "after the first pod went");
        LifeStep.unpublish(life, life.pod(2));
        if (LifeStep.STAGE.applies(bench)) {
            life.undo(LifeStep.STAGE, false);
            life.must(LifeStep.STAGE);
        }
        must(life, life.pod(3), Rule.DATA_KEPT);
        read(life, life.pod(3), "after all pods went and one came");
        LifeStep.unpublish(life, life.pod(3));
        bench.restart();
        must(life, life.pod(4), Rule.DATA_KEPT);
        read(life, life.pod(4), "after all pods went, the plugin was started again and a pod came");
        LifeStep.unpublish(life, life.pod(4));
        life.end();
    }

    private static void modeStays(VolumeLife life, PodRef pod) {
        Optional<Integer> mode = life.bench().mode(life.target(pod));
        require(
                mode.filter(found -> found != MODE).isEmpty(),
                Rule.DATA_KEPT,
                "a pod gave the volume the mode " + Integer.toOctalString(MODE) + ", and publishing made it "
                        + mode.map(Integer::toOctalString).orElse("unknown"));
    }

    private static void read(VolumeLife life, PodRef pod, String when) {
        Optional<String> text = life.bench().read(life.target(pod), MARK);
        require(
                text.equals(Optional.of(TEXT)),
                Rule.DATA_KEPT,
                when + " the file that was written is "
                        + text.map(found -> "'" + found + "'").orElse("not there"));
    }

    /** Writes something by which a volume is known. */
    static Outcome<?> mark(VolumeLife life, PodRef pod, Rule rule) {
        must(life, pod, rule);
        return life.bench().write(life.target(pod), MARK, TEXT);
    }

    /** What is read of it. */
    static Optional<String> marked(VolumeLife life, PodRef pod) {
        return life.bench().read(life.target(pod), MARK);
    }
}
