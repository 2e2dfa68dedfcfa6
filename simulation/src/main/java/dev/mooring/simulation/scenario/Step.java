// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
 * @param advance how much time passes
 * @param settle whether the world comes to rest
 * @param expectations what has to hold at the end
 */
record Step(
        Place place,
        String name,
        List<Manifest> load,
        List<Manifest> apply,
        List<Patch> patches,
        List<Removal> removals,
        List<Fault> faults,
        Optional<ProcessName> stop,
        Optional<ProcessName> restart,
        Optional<Duration> advance,
        boolean settle,
        List<Expectation> expectations) {}
