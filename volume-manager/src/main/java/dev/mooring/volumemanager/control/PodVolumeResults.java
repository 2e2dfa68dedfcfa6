// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the results of effects say about a pod's volume. Pure. */
public final class PodVolumeResults {
    private PodVolumeResults() {}

    /** The state after everything that has come back since the last decision. */
    static PodVolumeState learn(PodVolumeState state, String podUid, Situation situation) {
        PodVolumeState known = state;
        for (EffectResult result : situation.results()) {
            switch (result.effect().operation()) {
                case AgentOperations.RECORD -> known = recorded(known, result);
                case AgentOperations.PUBLISH -> known = published(known, result);
                case AgentOperations.UNPUBLISH -> known = result.succeeded() ? known.unpublished() : known;
                case AgentOperations.CONFIRM_POD -> known = showsAbsence(result, podUid) ? known.withPodGone() : known;
                default -> {}
            }
        }
        return known;
    }

    /** Why the last call or the append before it did not succeed; empty if nothing failed since the last decision. */
    static Optional<String> failure(Situation situation) {
        return failure(situation, AgentOperations.PUBLISH, AgentOperations.UNPUBLISH);
    }

    /**
     * The same for other calls.
     *
     * @param forward the operation that gives a pod its volume
     * @param back the one that has to end before that, for which a pod waits as well
     */
    static Optional<String> failure(Situation situation, String forward, String back) {
        return situation.results().stream()
                .filter(result -> !result.succeeded())
                .flatMap(result -> {
                    String operation = result.effect().operation();
                    if (operation.equals(back)) {
                        return Stream.of("waits for " + back + ": " + message(result));
                    }
                    return operation.equals(forward) || operation.equals(AgentOperations.RECORD)
                            ? Stream.of(message(result))
                            : Stream.empty();
                })
                .reduce((first, second) -> second);
    }

    /** Why something did not succeed; for storage that serves another node with the node's name, if the plugin knows it. */
    static String message(EffectResult result) {
        return result.outcome()
                .map(outcome -> outcome.nodes().stream()
                        .map(NodeRef::name)
                        .filter(name -> !outcome.message().contains(name))
                        .collect(Collectors.joining(", ")))
                .filter(nodes -> !nodes.isEmpty())
                .map(nodes -> result.message() + " (in use on " + nodes + ")")
                .orElseGet(result::message);
    }

    /** Whether something is mounted where a record says so; empty if there was no look since the last decision. */
    static Optional<Boolean> found(Situation situation) {
        return situation
                .resultOf(AgentOperations.VERIFY)
                .flatMap(EffectResult::outcome)
                .flatMap(outcome -> outcome.result().map(Boolean.TRUE::equals));
    }

    /** The same without an answer to that: it may be older than what has been heard since. */
    static Situation withoutFound(Situation situation) {
        return situation.withResults(situation.results().stream()
                .filter(result -> !result.effect().operation().equals(AgentOperations.VERIFY))
                .toList());
    }

    /** Whether every read that was asked for has been answered, by an object or by its absence, since the last decision. */
    public static boolean readLive(Situation situation, Iterable<? extends Effect> reads) {
        for (Effect read : reads) {
            boolean answered = situation
                    .resultOf(read.operation())
                    .filter(result -> result.succeeded() || isNotFound(result))
                    .isPresent();
            if (!answered) {
                return false;
            }
        }
        return true;
    }

    private static PodVolumeState recorded(PodVolumeState state, EffectResult result) {
        // An append that failed may still be durable; it stays in `appending`, which is counted as
        // standing.
        return result.succeeded() ? appendOf(result).map(state::appended).orElse(state) : state;
    }

    private static Optional<Publish> appendOf(EffectResult result) {
        return result.effect() instanceof Effect.Perform perform && perform.call() instanceof RecordCall append
                ? append.entry().match(Optional::of, stage -> Optional.empty())
                : Optional.empty();
    }

    private static PodVolumeState published(PodVolumeState state, EffectResult result) {
        Outcome<?> outcome = result.outcome().orElseThrow();
        return outcome.isDone()
                ? state.published(
                        outcome.result().orElseThrow() instanceof PluginState answer ? answer : PluginState.NONE)
                : state.notPublished(!outcome.isUncertain());
    }

    private static boolean isNotFound(EffectResult result) {
        return result.storeFailure().filter(Failure.NOT_FOUND::equals).isPresent();
    }

    /** A live read that finds no pod of the name, or one with another uid: a uid never comes back. */
    static boolean showsAbsence(EffectResult result, String uid) {
        return isNotFound(result)
                || result.<Boolean>match(
                        stored -> stored.result()
                                .value()
                                .filter(KubernetesObject.class::isInstance)
                                .map(KubernetesObject.class::cast)
                                .filter(found -> !found.metadata().uid().equals(uid))
                                .isPresent(),
                        performed -> false);
    }
}
