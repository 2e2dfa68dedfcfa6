// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * The node that the scheduler selected for a claim is given up when it does not exist any more, or was not ready for too long, as long as
 * nothing has been made there (D10; upstream: #100485, claims that are pending for ever).
 *
 * @param ttl how long a node may be unready; empty for ever
 */
record SelectedNode(Optional<Duration> ttl) {
    /** What there is to do before anything else; empty to go on. */
    Optional<Decision> decide(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        Optional<String> name = claim.metadata().annotation(Annotations.SELECTED_NODE);
        if (name.isEmpty() || state.made().isPresent()) {
            return Optional.empty();
        }
        if (!NodeChoice.hasNodes(situation.caches()) && !state.node().name().equals(name)) {
            return Optional.empty(); // a store without nodes is one machine, unless the last of them has gone
        }
        ObjectKey key = ObjectKey.cluster(name.get());
        Optional<Node> node = situation.caches().get(Kinds.NODE, key);
        if (node.isPresent()) {
            Optional<Duration> left = timeLeft(node.get(), state, situation);
            return left.isPresent() && (left.get().isNegative() || left.get().isZero())
                    ? Optional.of(giveUp(claim, state, "node \"" + name.get() + "\" is not ready"))
                    : Optional.empty();
        }
        if (situation.resultOf(BinderOperations.PROVISION).isPresent()) {
            // The outcome of the call is announced first; a refusal gives the node up by itself.
            return Optional.empty();
        }
        Optional<EffectResult> read = situation.resultOf(BinderOperations.CONFIRM_NODE);
        if (read.filter(EffectResult::succeeded).isPresent()) {
            return Optional.empty(); // A live read contradicts the cache. Try again after the next relist.
        }
        boolean gone = read.flatMap(EffectResult::storeFailure).equals(Optional.of(Failure.NOT_FOUND));
        return Optional.of(
                gone
                        ? giveUp(claim, state, "node \"" + name.get() + "\" not found")
                        : Decision.act(confirmation(key)).withState(state));
    }

    private static Effect confirmation(ObjectKey node) {
        return new Effect.Read<>(BinderOperations.CONFIRM_NODE, Kinds.NODE, node);
    }

    /**
     * The decision that follows. What proved that a hidden node exists proves it once: if something else has to be read next, the node is
     * read again together with it, or the two reads would make room for each other without end.
     */
    Decision followedBy(Decision decision, PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        boolean reads = decision.effects().stream().anyMatch(Effect.Read.class::isInstance);
        Optional<ObjectKey> proven = claim.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .filter(name -> reads
                        && situation.resultOf(BinderOperations.CONFIRM_NODE).isPresent())
                .map(ObjectKey::cluster);
        return withTimer(proven.map(node -> decision.and(confirmation(node))).orElse(decision), state, situation);
    }

    /** That the node exists, and since when it is known not to be ready. */
    ClaimState observing(PersistentVolumeClaim claim, ClaimState before, Situation situation) {
        Optional<Node> node = claim.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .flatMap(name -> situation.caches().get(Kinds.NODE, ObjectKey.cluster(name)));
        NodeSeen known = node.map(
                        there -> before.node().withName(there.metadata().name()))
                .orElse(before.node());
        boolean ready = node.map(Node::isReady).orElse(true);
        Optional<Long> unreadySince = ready || ttl.isEmpty()
                ? Optional.empty()
                : known.unreadySince().or(() -> Optional.of(situation.now().monotonicNanos()));
        return before.with(known.withUnreadySince(unreadySince));
    }

    /** The decision, with a timer for the moment at which the node is given up; one that is past is useless. */
    Decision withTimer(Decision decision, ClaimState state, Situation situation) {
        Optional<Duration> left = state.node()
                .unreadySince()
                .flatMap(since -> timeLeft(since, situation))
                .filter(time -> !time.isNegative() && !time.isZero());
        return left.isPresent()
                        && decision.wakeAfter()
                                .filter(earlier -> earlier.compareTo(left.get()) <= 0)
                                .isEmpty()
                ? decision.wakeAfter(left.get())
                : decision;
    }

    private Optional<Duration> timeLeft(Node node, ClaimState state, Situation situation) {
        return node.isReady()
                ? Optional.empty()
                : state.node().unreadySince().flatMap(since -> timeLeft(since, situation));
    }

    private Optional<Duration> timeLeft(long since, Situation situation) {
        long passed = situation.now().monotonicNanos() - since;
        return ttl.map(limit -> limit.minusNanos(passed));
    }

    private static Decision giveUp(PersistentVolumeClaim claim, ClaimState state, String why) {
        return ClaimProvisioning.failed(
                        claim,
                        state.by(BinderRule.D10).withoutNode(),
                        "The node selected for the claim is given up: " + why + ". Another one has to be selected.")
                .and(drop(claim));
    }

    /** Lets the scheduler choose again. */
    static Effect drop(PersistentVolumeClaim claim) {
        return update(claim, claim.withMetadata(claim.metadata().withoutAnnotation(Annotations.SELECTED_NODE)));
    }

    /** Chooses a node in the place of a scheduler. */
    static Effect select(PersistentVolumeClaim claim, String node) {
        return update(claim, claim.withMetadata(claim.metadata().withAnnotation(Annotations.SELECTED_NODE, node)));
    }

    private static Effect update(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        return new Effect.Update<>(
                BinderOperations.SELECT_NODE, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(before, after));
    }
}
