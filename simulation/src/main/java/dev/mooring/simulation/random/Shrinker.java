// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes a failing list of acts shorter as long as it fails by the same rule (delta debugging): leaves out halves, quarters, single acts,
 * then parts of acts, and simplifies pauses.
 */
final class Shrinker {
    private static final List<String> LISTS = List.of("apply", "patch", "delete", "fault", "watch");

    private final Predicate<List<Act>> fails;
    private int tries;

    /**
     * Makes a shrinker.
     *
     * @param fails whether acts fail in the way that is looked for
     * @param tries how often that may be asked
     */
    Shrinker(Predicate<List<Act>> fails, int tries) {
        this.fails = fails;
        this.tries = tries;
    }

    /** Finds a shorter list that fails. */
    List<Act> shrink(List<Act> failing) {
        List<Act> acts = withoutTail(failing);
        boolean shorter = true;
        while (shorter && tries > 0) {
            List<Act> before = acts;
            acts = withoutChunks(acts);
            acts = withoutParts(acts);
            acts = withSimplePauses(acts);
            shorter = !acts.equals(before);
        }
        return acts;
    }

    private boolean stillFails(List<Act> acts) {
        return tries-- > 0 && fails.test(acts);
    }

    private List<Act> withoutTail(List<Act> acts) {
        int low = 1;
        int high = acts.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (stillFails(acts.subList(0, middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        List<Act> head = acts.subList(0, high);
        return high < acts.size() && !stillFails(head) ? acts : List.copyOf(head);
    }

    private List<Act> withoutChunks(List<Act> failing) {
        List<Act> acts = failing;
        for (int size = Math.max(1, acts.size() / 2); size >= 1; size /= 2) {
            for (int from = acts.size() - size; from >= 0; from -= size) {
                List<Act> rest = new ArrayList<>(acts.subList(0, from));
                rest.addAll(acts.subList(from + size, acts.size()));
                if (!rest.isEmpty() && stillFails(rest)) {
                    acts = rest;
                }
            }
        }
        return acts;
    }

    private List<Act> withoutParts(List<Act> failing) {
        List<Act> acts = failing;
        for (int i = 0; i < acts.size(); i++) {
            for (String key : LISTS) {
                acts = withoutParts(acts, i, key);
            }
        }
        return acts;
    }

    private List<Act> withoutParts(List<Act> failing, int index, String key) {
        List<Act> acts = failing;
        int parts = parts(acts.get(index), key).size();
        for (int part = parts - 1; part >= 0; part--) {
            Map<String, Object> step =
                    new LinkedHashMap<>(acts.get(index).step().asMap());
            List<Object> rest = new ArrayList<>(parts(acts.get(index), key));
            rest.remove(part);
            step.put(key, rest);
            if (rest.isEmpty()) {
                step.remove(key);
            }
            acts = replacedIfFails(acts, index, step);
        }
        return acts;
    }

    private static List<?> parts(Act act, String key) {
        return act.step().asMap().get(key) instanceof List<?> list ? list : List.of();
    }

    private List<Act> withSimplePauses(List<Act> failing) {
        List<Act> acts = failing;
        for (int i = 0; i < acts.size(); i++) {
            Map<String, Object> step = new LinkedHashMap<>(acts.get(i).step().asMap());
            if (step.keySet().removeAll(Set.of("work", "advance"))) {
                acts = replacedIfFails(acts, i, step);
            }
        }
        return acts;
    }

    private List<Act> replacedIfFails(List<Act> acts, int index, Map<String, Object> step) {
        Act old = acts.get(index);
        List<Act> changed = new ArrayList<>(acts);
        changed.set(index, new Act(old.what(), Document.of(step), old.fault()));
        return stillFails(changed) ? changed : acts;
    }
}
