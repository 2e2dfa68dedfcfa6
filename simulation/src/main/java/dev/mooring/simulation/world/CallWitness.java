// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.Outcome;
import java.util.Optional;

/** Sees every call to a back-end and every end of a machine, with what really became of it. Called by the world's thread. */
public interface CallWitness {
    /** A call is about to be made; the back-ends are still as they were. */
    void issued(Call call);

    /**
     * A call was made.
     *
     * @param call the call
     * @param applied whether the back-end did it, whatever it answered
     * @param hangs whether the caller waits for its deadline
     */
    void ended(Call call, boolean applied, boolean hangs);

    /**
     * A call was answered.
     *
     * @param answer what the caller hears; empty if the call hangs
     */
    default void answered(Call call, Optional<Outcome<?>> answer) {}

    /** A call that hung has ended: its deadline has come, or its caller has died. */
    default void over(Call call) {}

    /**
     * While a call is made, a device is about to be given a file system.
     *
     * @param surelyNothing whether in this call the device was looked at, and said for certain at last that nothing is on it
     * @param held the type of the file system that really is on it; empty if there is none
     */
    default void formatting(Call call, boolean surelyNothing, Optional<String> held) {}

    /** A machine went down, with everything that was mounted there. */
    void machineDied(String node);
}
