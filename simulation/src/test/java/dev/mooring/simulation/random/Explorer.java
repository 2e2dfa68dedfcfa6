// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.invariant.Invariants;
import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.simulation.world.WriteFault;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Tries every order of effects in a small world, and every place for a few faults. A world cannot be copied, so each branch is played
 * from the beginning; a state that was seen before is not followed again. Two states are one if the objects, the effects under way and
 * the faults that are left are equal; versions of objects are not looked at.
 */
final class Explorer {
    private final SimulatedControlPlane plane;
    private final Consumer<SimulatedCluster> setup;
    private final List<Consumer<SimulatedCluster>> story;
    private final int crashes;
    private final int others;
    private final int most;
    private final Deque<List<Integer>> branches = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> ends = new TreeSet<>();
    private final Set<String> findings = new TreeSet<>();
    private int runs;

    /**
     * Makes an explorer.
     *
     * @param setup makes the world, in one order only
     * @param story what happens then, each when the world is quiet
     * @param crashes how many crashes there may be
     * @param others how many conflicts of writes, or lost answers of calls
     * @param most how many branches are followed at most
     */
    Explorer(
            SimulatedControlPlane plane,
            Consumer<SimulatedCluster> setup,
            List<Consumer<SimulatedCluster>> story,
            int crashes,
            int others,
            int most) {
        this.plane = plane;
        this.setup = setup;
        this.story = story;
        this.crashes = crashes;
        this.others = others;
        this.most = most;
    }

    Explorer explore() {
        branches.push(List.of());
        while (!branches.isEmpty() && runs < most) {
            new Run(branches.pop()).play();
        }
        return this;
    }

    boolean complete() {
        return branches.isEmpty();
    }

    int states() {
        return seen.size();
    }

    int runs() {
        return runs;
    }

    /** The different ends, without uids and times. */
    Set<String> ends() {
        return ends;
    }

    Set<String> findings() {
        return findings;
    }

    /** Nothing new comes of this branch. */
    @SuppressWarnings("serial") // never written anywhere
    private static final class Seen extends Error {
        Seen() {
            super("seen", null, false, false);
        }
    }

    private final class Run {
        private final List<Integer> given;
        private final List<Integer> taken = new ArrayList<>();
        private final SimulatedCluster cluster = new SimulatedCluster(Kinds.standard(), plane, 1);
        private final Guard guard = new Guard(cluster, Invariants.standard());
        private int crashesLeft = crashes;
        private int othersLeft = others;
        private int chapter;

        Run(List<Integer> given) {
            this.given = given;
        }

        void play() {
            runs++;
            cluster.start();
            setup.accept(cluster);
            cluster.settle();
            cluster.chooseBy(
                    this::choose, this::write, call -> call(call.plugin().value(), call.operation()));
            try {
                for (Consumer<SimulatedCluster> next : story) {
                    chapter++;
                    next.accept(cluster);
                    cluster.advance(Duration.ofMinutes(5));
                }
                cluster.chooseBy(bound -> 0, Optional::empty, call -> Optional.empty());
                cluster.advance(Duration.ofMinutes(30));
                guard.atRest();
                ends.add(phases());
            } catch (Seen nothingNew) {
                // another branch goes on from here
            }
            guard.findings().forEach(finding -> findings.add(finding + " after " + taken));
        }

        private int choose(int bound) {
            int index = taken.size();
            int choice = 0;
            if (index < given.size()) {
                choice = given.get(index);
            } else {
                if (!seen.add(state(bound))) {
                    throw new Seen();
                }
                for (int other = bound - 1; other > 0; other--) {
                    List<Integer> branch = new ArrayList<>(taken);
                    branch.add(other);
                    branches.push(branch);
                }
            }
            taken.add(choice);
            return choice;
        }

        private Optional<WriteFault.Outcome> write() {
            List<WriteFault.Outcome> outcomes = new ArrayList<>();
            if (othersLeft > 0) {
                outcomes.add(WriteFault.Outcome.CONFLICT);
            }
            if (crashesLeft > 0) {
                outcomes.add(WriteFault.Outcome.CRASH_BEFORE);
                outcomes.add(WriteFault.Outcome.CRASH_AFTER);
            }
            int choice = outcomes.isEmpty() ? 0 : choose(outcomes.size() + 1);
            if (choice == 0) {
                return Optional.empty();
            }
            spend(outcomes.get(choice - 1) == WriteFault.Outcome.CONFLICT);
            return Optional.of(outcomes.get(choice - 1));
        }

        private Optional<CallFault> call(String plugin, String operation) {
            List<CallFault.Outcome> outcomes = new ArrayList<>();
            if (othersLeft > 0) {
                outcomes.add(CallFault.Outcome.UNCERTAIN);
                outcomes.add(CallFault.Outcome.UNCERTAIN_APPLIED);
                outcomes.add(CallFault.Outcome.HANG_APPLIED);
            }
            if (crashesLeft > 0) {
                outcomes.add(CallFault.Outcome.CRASH_BEFORE);
                outcomes.add(CallFault.Outcome.CRASH_AFTER);
            }
            int choice = outcomes.isEmpty() ? 0 : choose(outcomes.size() + 1);
            if (choice == 0) {
                return Optional.empty();
            }
            CallFault.Outcome outcome = outcomes.get(choice - 1);
            spend(outcome != CallFault.Outcome.CRASH_BEFORE && outcome != CallFault.Outcome.CRASH_AFTER);
            return Optional.of(new CallFault(plugin, operation, "", outcome, "", 1));
        }

        private void spend(boolean other) {
            if (other) {
                othersLeft--;
            } else {
                crashesLeft--;
            }
        }

        private String state(int bound) {
            StringBuilder text = new StringBuilder()
                    .append(chapter)
                    .append(' ')
                    .append(bound)
                    .append(' ');
            text.append(crashesLeft).append(' ').append(othersLeft).append(' ').append(cluster.elapsed());
            text.append(cluster.pendingEffects());
            for (Document object : cluster.objects()) {
                text.append(object.without("metadata", "resourceVersion").asMap());
            }
            return text.toString();
        }

        private String phases() {
            StringBuilder text = new StringBuilder();
            guard.claims()
                    .forEach(claim -> text.append(claim.metadata().name())
                            .append(' ')
                            .append(claim.status().phase())
                            .append(' '));
            guard.volumes()
                    .forEach(volume -> text.append(volume.metadata().name())
                            .append(' ')
                            .append(volume.status().phase())
                            .append(' '));
            guard.attachments()
                    .forEach(slot -> text.append(slot.spec().nodeName())
                            .append(' ')
                            .append(slot.status().attached())
                            .append(' '));
            return text.toString();
        }
    }
}
