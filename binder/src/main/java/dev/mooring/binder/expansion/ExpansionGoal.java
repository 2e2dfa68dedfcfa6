// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.storage.model.Quantity;
import java.util.Optional;

/**
 * What an expansion goes for now: the pure heart of the controller. Upstream's table (semantics/binder §3.5, expandAndRecover of the
 * external resizer), and what upstream cannot get to: a request that was lowered to what the claim has.
 *
 * @param kind what to do
 * @param target the size to reach; present if and only if the volume has to be expanded
 */
record ExpansionGoal(Kind kind, Optional<Quantity> target) {
    private static final ExpansionGoal NOTHING = new ExpansionGoal(Kind.NOTHING, Optional.empty());
    private static final ExpansionGoal WITHDRAW = new ExpansionGoal(Kind.WITHDRAW, Optional.empty());
    private static final ExpansionGoal NOT_ALLOWED = new ExpansionGoal(Kind.NOT_ALLOWED, Optional.empty());
    private static final ExpansionGoal GROWN_BY_OTHERS = new ExpansionGoal(Kind.GROWN_BY_OTHERS, Optional.empty());

    /** What to do. */
    enum Kind {
        /** All is done, or it is a node's turn. */
        NOTHING,
        /** The back-end is surely as large as before and no more is wanted: take back what the status tells of an expansion. */
        WITHDRAW,
        /** The claim wants more than it has, and its class does not allow that. */
        NOT_ALLOWED,
        /** The claim wants more than the volume has, and only an administrator makes that storage larger. */
        GROWN_BY_OTHERS,
        /** Bring the back-end to the target. */
        EXPAND
    }

    /**
     * What the objects show.
     *
     * @param volume the volume's capacity, V
     * @param request what the claim asks for, Q
     * @param capacity what the claim has, C
     * @param allocated what an expansion under way goes for, A
     * @param status how far it is, S
     * @param fileSystemPending whether the condition FileSystemResizePending holds
     * @param asksBackEnd whether there is a back-end to be asked; else only nodes have something to do, and the volume's capacity is what
     *     the administrator says that the storage has
     * @param allowed whether the claim's class allows expansion
     * @param underWay whether an expansion was begun that may have changed the back-end
     */
    record Facts(
            Quantity volume,
            Quantity request,
            Quantity capacity,
            Optional<Quantity> allocated,
            ResizeStatus status,
            boolean fileSystemPending,
            boolean asksBackEnd,
            boolean allowed,
            boolean underWay) {
        Quantity allocatedOrRequest() {
            return allocated.orElse(request);
        }

        /** What an earlier expansion went for stays here: where nothing is under way, less than the request would never be enough. */
        Quantity allocatedOrMoreIfRequested() {
            return allocated.filter(size -> size.compareTo(request) >= 0).orElse(request);
        }
    }

    /**
     * Decides.
     *
     * @param lastCallHadNoEffect whether it is known that the last call left the back-end as it was; false if there was none in this process
     */
    static ExpansionGoal of(Facts facts, boolean lastCallHadNoEffect) {
        ExpansionGoal goal = byTable(facts, lastCallHadNoEffect);
        if (goal.kind() != Kind.EXPAND) {
            return goal;
        }
        if (!facts.allowed() && !facts.underWay()) {
            return NOT_ALLOWED;
        }
        return facts.asksBackEnd() ? goal : upToTheVolume(goal.target().orElseThrow(), facts);
    }

    /** Storage that only its administrator makes larger has what the volume says. A larger size is never written here. */
    private static ExpansionGoal upToTheVolume(Quantity target, Facts facts) {
        if (facts.volume().compareTo(facts.capacity()) > 0) {
            return expand(target.compareTo(facts.volume()) < 0 ? target : facts.volume());
        }
        return switch (facts.status()) {
            case CONTROLLER_RESIZE_IN_PROGRESS, CONTROLLER_RESIZE_INFEASIBLE -> WITHDRAW; // no back-end was asked
            default -> facts.request().compareTo(facts.capacity()) > 0 ? GROWN_BY_OTHERS : NOTHING;
        };
    }

    private static ExpansionGoal byTable(Facts facts, boolean lastCallHadNoEffect) {
        if (facts.request().compareTo(facts.capacity()) <= 0) {
            return unwanted(facts, lastCallHadNoEffect);
        }
        return facts.volume().compareTo(facts.request()) < 0
                ? smallerThanWanted(facts, lastCallHadNoEffect)
                : largeEnough(facts);
    }

    /** No more is wanted (X3). An expansion of unknown outcome is still brought to its end: the storage may have grown. */
    private static ExpansionGoal unwanted(Facts facts, boolean lastCallHadNoEffect) {
        boolean unchanged = facts.volume().compareTo(facts.capacity()) <= 0;
        return switch (facts.status()) {
            case CONTROLLER_RESIZE_INFEASIBLE -> unchanged ? WITHDRAW : expand(facts.allocatedOrRequest());
            case CONTROLLER_RESIZE_IN_PROGRESS ->
                unchanged && lastCallHadNoEffect ? WITHDRAW : expand(facts.allocatedOrRequest());
            default -> NOTHING;
        };
    }

    private static ExpansionGoal smallerThanWanted(Facts facts, boolean lastCallHadNoEffect) {
        return switch (facts.status()) {
            case NODE_RESIZE_INFEASIBLE -> expand(facts.allocatedOrRequest());
            case NODE_RESIZE_PENDING, NODE_RESIZE_IN_PROGRESS ->
                facts.volume().compareTo(facts.allocatedOrRequest()) >= 0
                        ? NOTHING // the node's turn
                        : expand(facts.allocatedOrRequest());
            // The target is never lowered while the outcome is uncertain.
            case CONTROLLER_RESIZE_IN_PROGRESS ->
                expand(lastCallHadNoEffect ? facts.request() : facts.allocatedOrRequest());
            default -> expand(facts.request());
        };
    }

    private static ExpansionGoal largeEnough(Facts facts) {
        return switch (facts.status()) {
            case NODE_RESIZE_PENDING, NODE_RESIZE_IN_PROGRESS -> NOTHING;
            case NODE_RESIZE_INFEASIBLE -> expand(facts.asksBackEnd() ? facts.allocatedOrRequest() : facts.request());
            case CONTROLLER_RESIZE_IN_PROGRESS, CONTROLLER_RESIZE_INFEASIBLE -> expand(facts.allocatedOrRequest());
            default ->
                facts.allocated().isEmpty() && facts.fileSystemPending()
                        ? NOTHING // an older resizer has done its part
                        : expand(facts.allocatedOrMoreIfRequested());
        };
    }

    private static ExpansionGoal expand(Quantity target) {
        return new ExpansionGoal(Kind.EXPAND, Optional.of(target));
    }
}
