// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** The faults of calls that are not used up. Confined to the world's thread. */
final class CallFaults {
    private final List<Armed> armed = new ArrayList<>();
    private Function<Call, Optional<CallFault>> decider = call -> Optional.empty();
    private Consumer<CallFault.Outcome> witness = outcome -> {};

    /** Reports every declared fault that strikes a call, or a step of one. */
    void tell(Consumer<CallFault.Outcome> newWitness) {
        witness = newWitness;
    }

    void declare(CallFault fault) {
        declare(fault, call -> true);
    }

    /** Declares a fault of some of the calls that it speaks of. */
    void declare(CallFault fault, Predicate<Call> among) {
        armed.add(new Armed(fault, among));
    }

    /** Asks the chooser at every call that no declared fault strikes. */
    void ask(Function<Call, Optional<CallFault>> newDecider) {
        decider = newDecider;
    }

    /** From now on every call goes well. */
    void end() {
        armed.clear();
        decider = call -> Optional.empty();
    }

    /** The first declared fault that strikes this call. */
    Optional<CallFault> next(Call call) {
        return declared(call.operation(), call).or(() -> decider.apply(call));
    }

    /** The first declared fault that strikes a step of this call. */
    Optional<CallFault> next(String step, Call call) {
        return declared(step, call);
    }

    private Optional<CallFault> declared(String operation, Call call) {
        Iterator<Armed> all = armed.iterator();
        while (all.hasNext()) {
            Armed one = all.next();
            if (matches(one.fault, operation, call) && one.among.test(call)) {
                if (one.fault.times() != CallFault.ALWAYS && --one.left == 0) {
                    all.remove();
                }
                witness.accept(one.fault.outcome());
                return Optional.of(one.fault);
            }
        }
        return Optional.empty();
    }

    private static boolean matches(CallFault fault, String operation, Call call) {
        return fault.plugin().equals(call.plugin().value())
                && CallFault.isAbout(fault.operation(), fault.node(), operation)
                && (fault.node().isEmpty() || fault.node().equals(call.node()));
    }

    private static final class Armed {
        final CallFault fault;
        final Predicate<Call> among;
        long left;

        Armed(CallFault fault, Predicate<Call> among) {
            this.fault = fault;
            this.among = among;
            this.left = fault.times();
        }
    }
}
