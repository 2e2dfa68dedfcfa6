// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Something that must hold in a world. It is shown whatever happens, with the truth beside it, and reports what is wrong; it must change
 * nothing. One instance belongs to one world and may remember what it saw. All methods are called by the world's thread; what one throws
 * ends the world and is reported as a defect of the invariant.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Invariant {
    /** The controllers are about to send a write, which the store may yet refuse. */
    default void writing(WorldView world, Kind<?> kind, ObjectKey key, Findings findings) {}

    /** An object was written, by any program. */
    default void written(WorldView world, ObjectWrite<?> write, Findings findings) {}

    /** A call to a back-end is about to be made: the back-ends are still as they were. */
    default void calling(WorldView world, Call call, Findings findings) {}

    /**
     * A call to a back-end was made.
     *
     * @param applied whether the back-end did it, whatever it answered
     */
    default void called(WorldView world, Call call, boolean applied, Findings findings) {}

    /**
     * While a call to a back-end is made, a device is about to be given a file system.
     *
     * @param surelyNothing whether in this call the device was looked at, and said for certain at last that nothing is on it
     * @param held the type of the file system that really is on it; empty if there is none
     */
    default void formatting(
            WorldView world, Call call, boolean surelyNothing, Optional<String> held, Findings findings) {}

    /**
     * A call to a back-end was answered. A call in which its caller died never is.
     *
     * @param answer what the caller hears; empty if it hears nothing yet: the call hangs until {@link #ended}
     */
    default void answered(WorldView world, Call call, Optional<Outcome<?>> answer, Findings findings) {}

    /** A call that hung has ended, at its deadline or with its caller. */
    default void ended(WorldView world, Call call, Findings findings) {}

    /** An event for people was written. */
    default void told(WorldView world, Announcement news, Findings findings) {}

    /** A step was made: an effect of a controller or agent, or an act of a user. */
    default void step(WorldView world, Findings findings) {}

    /** Faults have ended, users have done nothing for long, and the world has come to rest. */
    default void atRest(WorldView world, Findings findings) {}
}
