// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The node whose agent was asked to make or to reclaim a volume's storage. If it leaves the cluster, no agent answers, and what it
 * did is unknown. An event says so, since only people know whether the machine and its disks are gone for good.
 *
 * @param name the node's name, as it stands on the volume
 */
record AskedNode(String name) {
    /** The node that an annotation of a volume names. */
    static AskedNode of(PersistentVolume volume, String annotation) {
        return new AskedNode(volume.metadata().annotation(annotation).orElse(""));
    }

    /** The write of the label by which the node finds its work, if the volume lacks it: earlier versions wrote annotations only. */
    static Optional<Effect> label(PersistentVolume volume, String operation) {
        PersistentVolume labelled = NodeIntent.labelled(volume);
        return labelled.equals(volume)
                ? Optional.empty()
                : Optional.of(new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME, new Change<>(volume, labelled)));
    }

    private ObjectKey key() {
        return ObjectKey.cluster(name);
    }

    private boolean isKnown(Situation situation) {
        return name.isEmpty() || situation.caches().get(Kinds.NODE, key()).isPresent();
    }

    /** The live read that shows whether a node that is not in the cache is deleted; empty if nothing is open. */
    Optional<Effect> question(Situation situation) {
        boolean answered = situation
                .resultOf(BinderOperations.CONFIRM_NODE)
                .filter(read -> read.succeeded() || isGone(read))
                .isPresent();
        return isKnown(situation) || answered
                ? Optional.empty()
                : Optional.of(new Effect.Read<>(BinderOperations.CONFIRM_NODE, Kinds.NODE, key()));
    }

    /** Whether it has surely left the cluster: it is in neither cache nor store. */
    boolean hasGone(Situation situation) {
        return !isKnown(situation)
                && situation
                        .resultOf(BinderOperations.CONFIRM_NODE)
                        .filter(AskedNode::isGone)
                        .isPresent();
    }

    /**
     * The agent is at it, and will write a result, unless its node has left the cluster.
     *
     * @param state what to remember
     * @param waits the object and the reason of the event if the answer takes long
     * @param why what they are told
     * @param ifGone what to do if the node has left
     */
    Decision await(KeyState state, Situation situation, Concern waits, String why, Supplier<Decision> ifGone) {
        Optional<Effect> question = question(situation);
        if (question.isPresent()) {
            return Decision.act(question.get()).withState(state);
        }
        return hasGone(situation)
                ? ifGone.get()
                : Decision.remember(state).concerning(waits).waitingFor(why);
    }

    /** What is waited for as long as the node has not answered. */
    String unanswered(PersistentVolume volume, String task) {
        return "node \"" + name + "\" is asked to " + task + " the storage of volume "
                + volume.metadata().name()
                + ", and does not answer. Only an agent on that machine can do it: \"mooring node\", or \"mooring standalone\"";
    }

    private static boolean isGone(EffectResult read) {
        return read.storeFailure().equals(Optional.of(Failure.NOT_FOUND));
    }

    /** The message, and what people can do. */
    String news(PersistentVolume volume, String task, String afterwards) {
        return "node \"" + name + "\", which is asked to " + task + " the storage of volume "
                + volume.metadata().name()
                + ", was deleted, and what it did is unknown. " + remedy(volume, afterwards);
    }

    /** What people can do about a volume whose node is gone. */
    static String remedy(PersistentVolume volume, String afterwards) {
        String pv = volume.metadata().name();
        return "If the node joins again, the work goes on. If it never does, remove the volume" + afterwards
                + ": kubectl delete pv " + pv + " --wait=false; kubectl patch pv " + pv
                + " --type merge -p '{\"metadata\":{\"finalizers\":null}}'";
    }
}
