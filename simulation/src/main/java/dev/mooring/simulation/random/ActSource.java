// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import java.util.Optional;
import org.apiguardian.api.API;

/** Where the acts of a random world come from. One source serves one world and may remember what it did. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface ActSource {
    /**
     * The next act.
     *
     * @param chance decides; nothing else may, or a seed would not be the same world again
     * @param world as it is now
     * @return what happens; empty if this source has nothing to do now
     */
    Optional<Act> next(Chance chance, WorldView world);
}
