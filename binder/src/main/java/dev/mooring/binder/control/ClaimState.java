// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.control.KeyState;
import java.util.Map;
import java.util.Optional;

/**
 * Where the binder stands with a claim.
 *
 * @param reserved the volume that a bind in flight holds for the claim
 * @param turn whether it may write, as one of the binds that are under way (D4)
 * @param awaited what the claim waits for
 * @param rule the rule that decided last, while the claim waits
 * @param notes what else is remembered
 */
record ClaimState(
        Optional<String> reserved, Turn turn, Optional<Awaited> awaited, Optional<BinderRule> rule, ClaimNotes notes)
        implements KeyState {
    static final ClaimState NONE =
            new ClaimState(Optional.empty(), Turn.OPEN, Optional.empty(), Optional.empty(), ClaimNotes.NONE);

    /** Where a claim stands among the binds that are under way. */
    enum Turn {
        /** It holds a volume and writes, or it has nothing to bind. */
        OPEN,
        /** It waits until fewer binds are under way. */
        QUEUED,
        /** A write of it failed, or was refused: it holds its volume, and its place among the binds is free for others. */
        BACKS_OFF
    }

    @Override
    public Optional<String> ground() {
        return rule.map(each -> each.meaning() + " (" + each.id() + ")");
    }

    ClaimState reserving(String volume) {
        return new ClaimState(Optional.of(volume), Turn.OPEN, Optional.empty(), rule, notes.withoutNode());
    }

    ClaimState backingOff() {
        return new ClaimState(reserved, Turn.BACKS_OFF, awaited, rule, notes);
    }

    boolean isQueued() {
        return turn == Turn.QUEUED;
    }

    /** Whether it is one of the binds that are under way. */
    boolean isUnderWay() {
        return reserved.isPresent() && turn == Turn.OPEN;
    }

    ClaimState queueing() {
        return new ClaimState(Optional.empty(), Turn.QUEUED, awaited, rule, notes);
    }

    ClaimState idle() {
        return NONE.with(notes.withoutNode().withRefused(Map.of()));
    }

    ClaimState waitingFor(Awaited news) {
        return new ClaimState(Optional.empty(), Turn.OPEN, Optional.of(news), rule, notes);
    }

    /** Waits for a change of a node, too. */
    ClaimState waitingForNode(String name) {
        return waitingFor(awaited.orElse(Awaited.NOTHING).andNode(name));
    }

    /** Waits for a node on which the class allows storage, too. */
    ClaimState waitingForSomeNode() {
        return waitingFor(awaited.orElse(Awaited.NOTHING).andSomeNode());
    }

    /** Waits for a class of attributes, too. */
    ClaimState waitingForAttributes(String className) {
        return waitingFor(awaited.orElse(Awaited.NOTHING).andAttributesClass(className));
    }

    ClaimState by(BinderRule decided) {
        return new ClaimState(reserved, turn, awaited, Optional.of(decided), notes);
    }

    private ClaimState with(ClaimNotes other) {
        return new ClaimState(reserved, turn, awaited, rule, other);
    }

    private ClaimState with(ProvisioningNotes other) {
        return with(notes.with(other));
    }

    // ---- notes ----

    String told() {
        return notes.told();
    }

    ClaimState telling(String news) {
        return with(notes.withTold(news));
    }

    ClaimStorage storage() {
        return notes.provisioning().storage();
    }

    ClaimState withStorage(ClaimStorage known) {
        return with(notes.provisioning().with(known));
    }

    /** Storage that was made and has no volume object yet. */
    Optional<ClaimStorage.Made> made() {
        return storage().made();
    }

    Retry retry() {
        return notes.provisioning().retry();
    }

    ClaimState withRetry(Retry next) {
        return with(notes.provisioning().with(next));
    }

    NodeSeen node() {
        return notes.provisioning().node();
    }

    ClaimState with(NodeSeen seen) {
        return with(notes.provisioning().with(seen));
    }

    ClaimState withoutNode() {
        return with(notes.withoutNode());
    }

    Map<String, String> refused() {
        return notes.refused();
    }

    ClaimState withRefused(Map<String, String> versions) {
        return with(notes.withRefused(versions));
    }

    /** The default class that the claim cannot have, for now or any more. */
    Optional<RefusedClass> refusedClass() {
        return notes.refusedClass();
    }

    ClaimState withRefusedClass(RefusedClass refusal) {
        return with(notes.withRefusedClass(refusal));
    }

    /** The state to keep; nothing if there is nothing to remember. */
    Optional<KeyState> kept() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }
}
