// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.Optional;

/**
 * Storage that is made on the node that will hold it. The intent stands on the volume object, which is created first; the node's agent
 * carries it out and writes the result beside it ({@link NodeIntent}). The claim is bound when the result says done.
 */
final class NodeProvisioning {
    private static final String ASK_NODE = "ask-node";
    private static final String FINISH = "finish-provisioning";

    static boolean isMarked(PersistentVolume volume) {
        return volume.metadata().annotation(NodeIntent.PROVISIONING).isPresent();
    }

    Decision begin(PersistentVolume planned, NodeRef node, ClaimState state) {
        String claimUid = planned.spec().claimRef().orElseThrow().uid();
        ObjectMeta metadata = planned.metadata()
                .withAnnotation(NodeIntent.PROVISIONING, claimUid)
                .withAnnotation(NodeIntent.PROVISION_ON, node.name());
        return Decision.act(new Effect.Create<>(
                        Operations.CREATE_VOLUME, Kinds.PERSISTENT_VOLUME, planned.withMetadata(metadata)))
                .withState(state);
    }

    Decision decide(PersistentVolumeClaim claim, PersistentVolume volume, ClaimState state, Situation situation) {
        Optional<Outcome<?>> result = resultOn(volume);
        if (result.isEmpty()) {
            return Decision.remember(state); // The agent is at it, and will write a result.
        }
        if (result.get().isDone()) {
            return Decision.act(
                            update(FINISH, volume, withoutMarks(volume)), ProvisionedStorage.succeeded(claim, volume))
                    .withState(state.withRetry(Retry.NONE));
        }
        String why = ClaimProvisioning.failureMessage(
                volume.spec().storageClassName().orElse(""), result.get().message());
        Decision told = ClaimProvisioning.failed(claim, state, why);
        if (!state.retry().counted()) {
            Retry retry = state.retry().afterFailure(situation.now());
            return told.withState(state.telling(why).withRetry(retry))
                    .wakeAfter(retry.remaining(situation.now()).orElse(Duration.ZERO));
        }
        Optional<Duration> wait = state.retry().remaining(situation.now());
        if (wait.isPresent()) {
            return told.wakeAfter(wait.get());
        }
        PersistentVolume again = volume.withMetadata(volume.metadata().withoutAnnotation(NodeIntent.PROVISION_RESULT));
        return Decision.act(update(ASK_NODE, volume, again))
                .withState(state.withRetry(state.retry().asking()));
    }

    /** The result that the node's agent has written for the claim that the volume is made for. */
    static Optional<Outcome<?>> resultOn(PersistentVolume volume) {
        return volume.metadata()
                .annotation(NodeIntent.PROVISION_RESULT)
                .flatMap(text -> NodeIntent.parse(
                        text,
                        volume.metadata().annotation(NodeIntent.PROVISIONING).orElse("")));
    }

    static PersistentVolume withoutMarks(PersistentVolume volume) {
        return volume.withMetadata(volume.metadata()
                .withoutAnnotation(NodeIntent.PROVISIONING)
                .withoutAnnotation(NodeIntent.PROVISION_ON)
                .withoutAnnotation(NodeIntent.PROVISION_RESULT));
    }

    private static Effect update(String operation, PersistentVolume before, PersistentVolume after) {
        return new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME, new Change<>(before, after));
    }
}
