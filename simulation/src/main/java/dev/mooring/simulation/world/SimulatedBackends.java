// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.simulation.sidecar.OutsideCall;
import dev.mooring.simulation.virtual.CallAnswer;
import dev.mooring.simulation.virtual.ProcessDeath;
import dev.mooring.simulation.virtual.VirtualCalls;
import dev.mooring.simulation.world.Trace.CallEntry;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.volumemanager.calls.StageCall;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Every back-end of the world. A call does what it asks for, at once, unless a declared fault strikes it. Of the plugins of simulated
 * storage nothing is run here but what is pure; calls to storage that is not simulated are handed on. Confined to the world's thread.
 */
public final class SimulatedBackends implements VirtualCalls {
    /**
     * What is said of an attachment that was made here. Of one that was made before this world began, whatever is said of it, nothing is
     * known here, and it is believed.
     */
    static final String ATTACHED_TO = "attachedTo";

    private final Successes successes;
    private final RealCalls real;
    private final Preparing preparing;
    private final Trace trace;
    private final CallFaults faults = new CallFaults();
    private final BackendVolumes volumes = new BackendVolumes();
    private final List<CallWitness> witnesses = new ArrayList<>();
    private final Set<String> lied = new TreeSet<>();
    private boolean ownOnly;
    private final IdentityHashMap<Call, CallTicket> late = new IdentityHashMap<>();

    /**
     * Makes back-ends without faults.
     *
     * @param successes what the success of a call carries
     * @param real carries out the calls to storage that is not simulated
     * @param trace where calls are recorded
     * @param devices what machines do with file systems
     * @param clock the world's
     */
    public SimulatedBackends(Successes successes, RealCalls real, Trace trace, Devices devices, InstantSource clock) {
        this.successes = successes;
        this.real = real;
        this.trace = trace;
        this.preparing = new Preparing(devices, clock);
    }

    /** What calls answer when they succeed. */
    @FunctionalInterface
    public interface Successes {
        /**
         * The answer of a call that did what it asked for.
         *
         * @return the answer; empty if this build has no such call
         */
        Optional<Outcome<?>> of(Call call);
    }

    /** What is not simulated. */
    @FunctionalInterface
    public interface RealCalls {
        /** As {@link SimulatedControlPlane#carriedOut}. */
        Optional<Outcome<?>> carriedOut(Call call, CallTicket ticket);
    }

    /** Reports every declared fault that strikes a call, or a step of one. */
    void tellStrikes(Consumer<CallFault.Outcome> witness) {
        faults.tell(witness);
    }

    /** Declares a fault. */
    public void declare(CallFault fault) {
        faults.declare(fault);
    }

    /** Declares a fault of some of the calls that it speaks of. */
    void declare(CallFault fault, Predicate<Call> among) {
        faults.declare(fault, among);
    }

    /** From now on NFS and hostPath destroy only what they made, as the real plugins do. */
    public void destroyOwnOnly() {
        ownOnly = true;
    }

    private Optional<Outcome<?>> success(Call call) {
        Optional<Outcome<?>> refusal = ownOnly ? MadeByOthers.refusal(OutsideCall.deed(call)) : Optional.empty();
        return refusal.isPresent() ? refusal : successes.of(call);
    }

    /** Asks the chooser at every call that no declared fault strikes. */
    public void ask(Function<Call, Optional<CallFault>> decider) {
        faults.ask(decider);
    }

    /** From now on every call goes well; what hangs goes on hanging. */
    public void endFaults() {
        faults.end();
    }

    /** Whether a back-end has said of a volume that something was done which was not. */
    public boolean liedAbout(String volume) {
        return lied.contains(volume);
    }

    /** Names what is on the storage of a volume: another name once all of it has gone; 0 if nothing has happened to it. */
    public long contentOf(String volume) {
        return preparing.contents().nameOf(volume);
    }

    /** What the back-ends hold. */
    public BackendVolumes volumes() {
        return volumes;
    }

    /** Shows every call from now on to a witness. */
    public void show(CallWitness witness) {
        witnesses.add(witness);
    }

    /** A machine went down. */
    public void machineDied(String node) {
        volumes.machineDied(node);
        witnesses.forEach(witness -> witness.machineDied(node));
    }

    @Override
    public CallAnswer perform(Call call, CallTicket ticket) {
        witnesses.forEach(witness -> witness.issued(call));
        Attempt attempt = new Attempt(call, ticket);
        CallAnswer answer = faults.next(call)
                .map(fault -> struckOrDead(fault, attempt))
                .orElseGet(() -> CallAnswer.of(attempt.stepwise()));
        trace.add(new CallEntry(call.plugin().value(), call.operation(), call.volume(), call.node(), word(answer)));
        boolean hangs = answer.outcome().isEmpty();
        witnesses.forEach(witness -> witness.ended(call, attempt.applied, hangs));
        witnesses.forEach(witness -> witness.answered(call, answer.outcome()));
        return answer;
    }

    /** One try to carry out a call, and whether its effect has come to be, also if the process dies on the way. */
    private final class Attempt {
        private final Call call;
        private final CallTicket ticket;
        private boolean applied;

        Attempt(Call call, CallTicket ticket) {
            this.call = call;
            this.ticket = ticket;
        }

        /** Each of its steps may go wrong. */
        Outcome<?> stepwise() {
            try {
                return succeed(step -> faults.next(step, call));
            } catch (ProcessDeath death) {
                witnesses.forEach(witness -> witness.ended(call, applied, false));
                throw death;
            }
        }

        Outcome<?> succeed() {
            return succeed(step -> Optional.empty());
        }

        private Outcome<?> succeed(Function<String, Optional<CallFault>> stepFaults) {
            Optional<Outcome<?>> carriedOut = real.carriedOut(call, ticket);
            if (carriedOut.isPresent()) {
                if (carriedOut.get().isDone()) {
                    apply();
                }
                return carriedOut.get();
            }
            Optional<Outcome<?>> success = success(call);
            if (success.isEmpty()) {
                return Outcome.refused(Refusal.UNSUPPORTED, "no simulated back-end does " + call.operation());
            }
            if (success.get().isDone()) {
                Optional<StageCall> stage = Preparing.concerned(call);
                if (stage.isPresent()) {
                    Outcome<?> prepared = prepare(stage.get(), stepFaults);
                    return prepared.isDone() ? success.get() : prepared;
                }
                apply();
            }
            return success.get();
        }

        private void apply() {
            volumes.apply(call);
            preparing.contents().apply(OutsideCall.deed(call));
            applied = true;
        }

        private Outcome<?> prepare(StageCall stage, Function<String, Optional<CallFault>> stepFaults) {
            boolean attached = !stage.attached().containsKey(ATTACHED_TO)
                    || volumes.attachedTo(stage.plugin().value(), stage.volume())
                            .contains(stage.node());
            return preparing.prepare(stage, attached, new Workbench.Steps() {
                @Override
                public Optional<CallFault> fault(String step) {
                    return stepFaults.apply(step);
                }

                @Override
                public void formatting(boolean surelyNothing, Optional<String> held) {
                    witnesses.forEach(witness -> witness.formatting(stage, surelyNothing, held));
                }

                @Override
                public long nextContent() {
                    return preparing.contents().next();
                }

                @Override
                public boolean mounted() {
                    return volumes.isStaged(stage);
                }

                @Override
                public void mount() {
                    apply();
                }
            });
        }
    }

    @Override
    public void gaveUp(Call call, boolean processDied) {
        CallTicket ticket = late.remove(call);
        if (ticket != null && !(processDied && !call.node().isEmpty())) {
            Attempt attempt = new Attempt(call, ticket);
            attempt.succeed();
            witnesses.forEach(witness -> witness.ended(call, attempt.applied, false));
        }
        witnesses.forEach(witness -> witness.over(call));
    }

    private CallAnswer struckOrDead(CallFault fault, Attempt attempt) {
        if (fault.outcome() == CallFault.Outcome.CRASH_BEFORE) {
            throw new ProcessDeath("a crash before the call was declared");
        }
        if (fault.outcome() == CallFault.Outcome.CRASH_AFTER) {
            attempt.succeed();
            witnesses.forEach(witness -> witness.ended(attempt.call, attempt.applied, false));
            throw new ProcessDeath("a crash after the call was declared");
        }
        return struck(fault, attempt);
    }

    private CallAnswer struck(CallFault fault, Attempt attempt) {
        Call call = attempt.call;
        String message = fault.message().isEmpty()
                ? call.plugin() + " " + call.operation() + ": "
                        + fault.outcome().word() + " (declared fault)"
                : fault.message();
        return switch (fault.outcome()) {
            case REFUSED -> CallAnswer.of(Outcome.refused(Refusal.DENIED, message));
            case UNCERTAIN -> CallAnswer.of(Outcome.uncertain(message));
            case UNCERTAIN_APPLIED -> {
                attempt.succeed();
                yield CallAnswer.of(Outcome.uncertain(message));
            }
            case DEFERRED -> CallAnswer.of(Outcome.deferred(message));
            case HANG -> CallAnswer.hangs();
            case HANG_APPLIED -> {
                late.put(call, attempt.ticket);
                yield CallAnswer.hangs();
            }
            case LIE -> {
                lied.add(call.volume());
                yield CallAnswer.of(successes.of(call).orElseGet(() -> Outcome.refused(Refusal.UNSUPPORTED, message)));
            }
            case TWICE -> CallAnswer.twice(attempt.succeed());
            case CRASH_BEFORE, CRASH_AFTER -> throw new IllegalStateException("a crash is no answer");
            case IN_USE_ELSEWHERE -> CallAnswer.of(Outcome.inUseElsewhere(List.of(), message));
        };
    }

    private static String word(CallAnswer answer) {
        return answer.outcome()
                .map(outcome -> outcome.<String>match(
                        done -> "done",
                        refused -> "refused",
                        uncertain -> "uncertain",
                        deferred -> "deferred",
                        elsewhere -> "in-use-elsewhere"))
                .orElse("hang");
    }
}
