// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A step; its parts run in this order.
 *
 * @param place where it stands
 * @param name for people
 * @param load objects stored verbatim
 * @param apply objects created or merged as by a user
 * @param patches patches by a user
 * @param removals deletions by a user
 * @param faults faults from now on
 * @param stop the process that dies and stays down
 * @param restart the process that starts with nothing in memory
 * @param handover whether another instance of the controllers begins to lead, while writes of the old one are on their way
 * @param pause for how long the process of the controllers is stopped; another leads as soon as its lease has run out
 * @param clock how far the wall clock is set forward, or back if negative
 * @param watches what happens to the watches of processes
 * @param work how many effects are carried out before the next step begins in the middle of the rest
 * @param advance how much time passes
 * @param calm faults end, and so much time passes; then everything has to be as wanted, and to stay so
 * @param settle whether the world comes to rest
 * @param expectations what has to hold at the end
 */
record ScenarioStep(
        ScenarioPlace place,
        String name,
        List<Manifest> load,
        List<Manifest> apply,
        List<Patch> patches,
        List<Removal> removals,
        List<Fault> faults,
        Optional<ProcessName> stop,
        Optional<ProcessName> restart,
        boolean handover,
        Optional<Duration> pause,
        Optional<Duration> clock,
        List<WatchFault> watches,
        OptionalInt work,
        Optional<Duration> advance,
        Optional<Duration> calm,
        boolean settle,
        List<Expectation> expectations) {}
