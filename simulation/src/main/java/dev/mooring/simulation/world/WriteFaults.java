// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The faults of writes that wait for their write. Confined to the world's thread. */
public final class WriteFaults {
    private final List<Armed> armed = new ArrayList<>();
    private Supplier<Optional<WriteFault.Outcome>> decider = Optional::empty;
    private Consumer<Runnable> later = Runnable::run;
    private Consumer<WriteFault.Outcome> witness = outcome -> {};

    /** Makes a world without faults. */
    public WriteFaults() {}

    /** Declares a fault. */
    public void declare(WriteFault fault) {
        armed.add(new Armed(fault));
    }

    /** Asks the chooser at every write that no declared fault strikes. */
    public void ask(Supplier<Optional<WriteFault.Outcome>> newDecider) {
        decider = newDecider;
    }

    /** Reports every declared fault that strikes a write. */
    void tell(Consumer<WriteFault.Outcome> newWitness) {
        witness = newWitness;
    }

    /** Sets what makes the writes that arrive late. */
    void makeLater(Consumer<Runnable> newLater) {
        later = newLater;
    }

    /** Makes a write some time from now. */
    void later(Runnable write) {
        later.accept(write);
    }

    /** From now on every write goes well. */
    public void end() {
        armed.clear();
        decider = Optional::empty;
    }

    /** Counts a write with every fault that it matches; the first whose turn has come strikes, once. */
    Optional<WriteFault.Outcome> next(WriteFault.Verb verb, String kind, String subresource) {
        Optional<WriteFault.Outcome> strikes = Optional.empty();
        Iterator<Armed> all = armed.iterator();
        while (all.hasNext()) {
            Armed one = all.next();
            if (one.matches(verb, kind, subresource) && ++one.seen >= one.fault.nth() && strikes.isEmpty()) {
                strikes = Optional.of(one.fault.outcome());
                all.remove();
            }
        }
        strikes.ifPresent(witness);
        return strikes.isPresent() ? strikes : decider.get();
    }

    private static final class Armed {
        final WriteFault fault;
        long seen;

        Armed(WriteFault fault) {
            this.fault = fault;
        }

        boolean matches(WriteFault.Verb verb, String kind, String subresource) {
            return fault.verb() == verb
                    && fault.kind().equals(kind)
                    && fault.subresource().equals(subresource);
        }
    }
}
