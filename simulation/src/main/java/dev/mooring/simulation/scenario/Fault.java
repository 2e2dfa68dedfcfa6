// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.WriteFault;
import java.util.function.Function;

/** A fault that a step declares. */
public sealed interface Fault {
    /** Folds the fault. */
    <R> R match(Function<? super OfCall, ? extends R> onCall, Function<? super OfWrite, ? extends R> onWrite);

    /** A call to a back-end goes wrong. */
    record OfCall(CallFault fault) implements Fault {
        @Override
        public <R> R match(
                Function<? super OfCall, ? extends R> onCall, Function<? super OfWrite, ? extends R> onWrite) {
            return onCall.apply(this);
        }
    }

    /** A write to the store goes wrong. */
    record OfWrite(WriteFault fault) implements Fault {
        @Override
        public <R> R match(
                Function<? super OfCall, ? extends R> onCall, Function<? super OfWrite, ? extends R> onWrite) {
            return onWrite.apply(this);
        }
    }
}
