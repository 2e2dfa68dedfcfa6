// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which controllers a server runs itself; the others are left to programs such as kube-controller-manager and kube-scheduler. Immutable.
 *
 * @param running the names of those that it runs
 */
public record ControllerChoice(Set<String> running) {
    /** The controller of StatefulSets. */
    public static final String STATEFUL_SETS = "statefulset-controller";

    private static final String EACH = "*";
    private static final String OFF = "-";

    /** By the names that metrics and logs have, too. */
    private static final List<String> NAMES = List.of(
            "attach-detach",
            "binder",
            "clone-protection",
            "ephemeral",
            "event-expiry",
            "expansion",
            "garbage-collector",
            "namespace",
            "node-lifecycle",
            "pod-garbage-collector",
            "pv-protection",
            "pvc-protection",
            "scheduler",
            "serviceaccount",
            STATEFUL_SETS,
            "storage-capacity",
            "taint-eviction-controller",
            "vac-protection",
            "volume-health",
            "volume-modification",
            "volume-snapshots");

    /** All of them. */
    public static final ControllerChoice ALL = new ControllerChoice(Set.copyOf(NAMES));

    /** Copies the names. */
    public ControllerChoice {
        running = Set.copyOf(running);
    }

    /** The names that can be chosen, in alphabetical order. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Reads a choice in the words of kube-controller-manager: {@code NAME} is run, {@code -NAME} is not, {@code *} stands for all. If each
     * name has a dash, all others are run, as if {@code *} stood before them, which kube-controller-manager wants to be written.
     *
     * @throws IllegalArgumentException if there is no such controller; the message lists those that there are
     */
    public static ControllerChoice of(Collection<String> terms) {
        Set<String> on = new LinkedHashSet<>();
        Set<String> off = new LinkedHashSet<>();
        boolean isOnly = false;
        for (String term : terms) {
            boolean isOff = term.startsWith(OFF);
            String name = isOff ? term.substring(OFF.length()) : term;
            if (!name.equals(EACH) && !NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no controller " + name + "; the controllers are " + String.join(", ", NAMES));
            }
            isOnly |= !isOff || name.equals(EACH);
            (isOff ? off : on).add(name);
        }
        Set<String> running = new TreeSet<>(on.contains(EACH) || !isOnly ? NAMES : on);
        running.addAll(on);
        running.removeAll(off);
        running.remove(EACH);
        return new ControllerChoice(running);
    }

    /** Whether the server runs a controller. */
    public boolean runs(String name) {
        return running.contains(name);
    }
}
