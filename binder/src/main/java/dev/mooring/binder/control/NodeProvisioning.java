// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Storage that is made on the node that will hold it. The intent stands on the volume object, which is created first; the node's agent
 * carries it out and writes the result beside it ({@link NodeIntent}). The claim is bound when the result says done.
 */
public final class NodeProvisioning {
    private static final String ASK_NODE = "ask-node";
    private static final String FINISH = "finish-provisioning";

    /** On a volume whose node once did not know the outcome of a call: a refusal since then proves nothing of that one. */
    private static final String IN_DOUBT = "mooring.dev/provision-in-doubt";

    static boolean isMarked(PersistentVolume volume) {
        return volume.metadata().annotation(NodeIntent.PROVISIONING).isPresent();
    }

    Decision begin(PersistentVolume planned, NodeRef node, ClaimState state) {
        String claimUid = planned.spec().claimRef().orElseThrow().uid();
        ObjectMeta metadata = planned.metadata()
                .withAnnotation(NodeIntent.PROVISIONING, claimUid)
                .withAnnotation(NodeIntent.PROVISION_ON, node.name());
        return Decision.act(new Effect.Create<>(
                        BinderOperations.CREATE_VOLUME,
                        Kinds.PERSISTENT_VOLUME,
                        NodeIntent.labelled(planned.withMetadata(metadata))))
                .withState(state);
    }

    Decision decide(PersistentVolumeClaim claim, PersistentVolume volume, ClaimState state, Situation situation) {
        Optional<Outcome<?>> result = resultOn(volume);
        if (result.isEmpty()) {
            return unanswered(claim, volume, state, situation);
        }
        if (result.get().isDone()) {
            return Decision.act(
                            update(FINISH, volume, withoutMarks(volume)), ProvisionedStorage.succeeded(claim, volume))
                    .withState(state.withRetry(Retry.NONE));
        }
        if (hasComeToNothing(volume)) {
            return Decision.remember(state)
                    .waitingFor("volume \"" + volume.metadata().name()
                            + "\", for which no storage was made, has to be deleted first");
        }
        String why = ClaimProvisioning.failureMessage(
                volume.spec().storageClassName().orElse(""), result.get().message());
        Decision told = ClaimProvisioning.failed(claim, state, why);
        if (surelyNothing(volume) && claim.spec().volumeName().isEmpty()) {
            ClaimState again = state.telling(why).withRetry(Retry.NONE);
            if (isPlaced(claim)) {
                return told.withState(again).and(delete(volume)).and(SelectedNode.drop(claim));
            }
            AskedNode node = AskedNode.of(volume, NodeIntent.PROVISION_ON);
            Optional<Effect> question = node.question(situation);
            if (question.isPresent()) {
                return told.and(question.get());
            }
            if (node.hasGone(situation)) {
                return told.withState(again).and(delete(volume)); // it holds nothing, so that another one may be chosen
            }
        }
        if (!state.retry().counted()) {
            Retry retry = state.retry().afterFailure(situation.now());
            return told.withState(state.telling(why).withRetry(retry))
                    .wakeAfter(retry.remaining(situation.now()).orElse(Duration.ZERO));
        }
        Optional<Duration> wait = state.retry().remaining(situation.now());
        if (wait.isPresent()) {
            return told.wakeAfter(wait.get());
        }
        ObjectMeta asked = volume.metadata().withoutAnnotation(NodeIntent.PROVISION_RESULT);
        PersistentVolume again =
                volume.withMetadata(isRefused(result.get()) ? asked : asked.withAnnotation(IN_DOUBT, "yes"));
        return Decision.act(update(ASK_NODE, volume, again))
                .withState(state.withRetry(state.retry().asking()));
    }

    private static Decision unanswered(
            PersistentVolumeClaim claim, PersistentVolume volume, ClaimState before, Situation situation) {
        Optional<Effect> label = AskedNode.label(volume, ASK_NODE);
        if (label.isPresent()) {
            return Decision.act(label.get()).withState(before);
        }
        AskedNode node = AskedNode.of(volume, NodeIntent.PROVISION_ON);
        ClaimState state = before.waitingForNode(node.name());
        return node.await(
                state,
                situation,
                BinderEvents.waiting(claim, "ExternalProvisioning"),
                node.unanswered(volume, "make"),
                () -> ClaimProvisioning.failed(
                        claim, state, node.news(volume, "make", ", so that another node can be chosen")));
    }

    /** The result that the node's agent has written for the claim that the volume is made for. */
    static Optional<Outcome<?>> resultOn(PersistentVolume volume) {
        return volume.metadata()
                .annotation(NodeIntent.PROVISION_RESULT)
                .flatMap(text -> NodeIntent.parse(
                        text,
                        volume.metadata().annotation(NodeIntent.PROVISIONING).orElse("")));
    }

    /** Whether a volume is on its way out for which its node surely made nothing. */
    public static boolean hasComeToNothing(PersistentVolume volume) {
        return volume.metadata().isDeleting() && surelyNothing(volume);
    }

    /** A refusal gives the node up only if nothing was made there by an earlier call either (X3). */
    private static boolean surelyNothing(PersistentVolume volume) {
        return isMarked(volume)
                && volume.metadata().annotation(IN_DOUBT).isEmpty()
                && resultOn(volume).filter(NodeProvisioning::isRefused).isPresent();
    }

    /** A node that made it at another place than the volume says calls that incompatible: there is something then. */
    private static boolean isRefused(Outcome<?> outcome) {
        return outcome.isRefused() && !outcome.isRefused(Refusal.INCOMPATIBLE);
    }

    /** Whether a scheduler has chosen the node, and may choose another one. */
    private static boolean isPlaced(PersistentVolumeClaim claim) {
        return claim.metadata().annotation(Annotations.SELECTED_NODE).isPresent();
    }

    private static Effect delete(PersistentVolume volume) {
        return new Effect.Delete<>(
                BinderOperations.DELETE_VOLUME,
                Kinds.PERSISTENT_VOLUME,
                ObjectKey.of(volume),
                DeleteOptions.ofUid(volume.metadata().uid()));
    }

    static PersistentVolume withoutMarks(PersistentVolume volume) {
        return NodeIntent.labelled(volume.withMetadata(volume.metadata()
                .withoutAnnotation(NodeIntent.PROVISIONING)
                .withoutAnnotation(NodeIntent.PROVISION_ON)
                .withoutAnnotation(NodeIntent.PROVISION_RESULT)
                .withoutAnnotation(IN_DOUBT)));
    }

    private static Effect update(String operation, PersistentVolume before, PersistentVolume after) {
        return new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME, new Change<>(before, after));
    }
}
