// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.RecordedCall;
import dev.mooring.volumemanager.calls.StageCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.calls.UnstageCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rules of the peer's kubelet (semantics/attach-and-mount §3, §6), each put into our agent as a planted bug. Some remember what they have
 * seen, so each world needs bugs of its own.
 */
final class PeerNodeRules {
    private static final String NODE = "node";
    private static final String UNPUBLISH = "unpublish";
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(122);

    private PeerNodeRules() {}

    static List<Mutant> all() {
        return List.of(
                growthWithoutAnAnswerFails(),
                filesAreOnlyLogged(),
                triesOnce(),
                forgetsWhatNoPodGot(),
                oneCallAtATime(),
                onePodAfterTheOther(),
                whatIsNotReadIsNotUsed(),
                waitingBacksOff(),
                looksAtWhatIsNotThere(),
                boots());
    }

    /** H10: the error of a call that ran out of time is wrapped, and so taken for final. */
    private static Mutant growthWithoutAnAnswerFails() {
        return Mutant.result(
                NODE,
                "a growth without an answer has failed",
                "expand",
                result -> result.outcome().orElseThrow() instanceof Outcome.Uncertain<?> uncertain
                        ? new EffectResult.Performed(
                                result.effect(), Outcome.refused(Refusal.DENIED, uncertain.message()))
                        : result);
    }

    /** H13: that a file could not be given to the pod's group is written to the log. */
    private static Mutant filesAreOnlyLogged() {
        return Mutant.result(
                NODE,
                "files that cannot be given away are only logged",
                "publish",
                result -> result.message().startsWith("giving the files")
                        ? new EffectResult.Performed(result.effect(), Outcome.done(PluginState.NONE))
                        : result);
    }

    /** H11, #96635: what could not be taken away is taken for not mounted, and the agent does not come back to it. */
    private static Mutant triesOnce() {
        return new Mutant(NODE, "tries once to take a volume away") {
            private final Set<Key> failed = new HashSet<>();

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                if (situation
                        .resultOf(UNPUBLISH)
                        .filter(result -> !result.succeeded())
                        .isPresent()) {
                    failed.add(key);
                }
                return failed.contains(key) && calls(decision).anyMatch(UnpublishCall.class::isInstance)
                        ? withoutEffects(decision, Optional.empty())
                        : decision;
            }
        };
    }

    /** #89112: what was staged is known by the pods that have it mounted. */
    private static Mutant forgetsWhatNoPodGot() {
        return new Mutant(NODE, "forgets what was staged for a pod that never got it") {
            private final Set<String> got = new HashSet<>();

            @Override
            EffectResult learned(EffectResult result) {
                if (result.succeeded()
                        && result.effect() instanceof Effect.Perform perform
                        && perform.call() instanceof PublishCall publish) {
                    got.add(publish.volume());
                }
                return result;
            }

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                return calls(decision).anyMatch(call -> call instanceof UnstageCall && !got.contains(call.volume()))
                        ? withoutEffects(decision, Optional.empty())
                        : decision;
            }
        };
    }

    /** #31272, #16104: one loop, or one lock, serves all volumes of a node. */
    private static Mutant oneCallAtATime() {
        return new Mutant(NODE, "one call at a time") {
            private Optional<Key> calling = Optional.empty();

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                boolean calls = calls(decision).findAny().isPresent();
                if (calls && calling.filter(other -> !other.equals(key)).isPresent()) {
                    return withoutEffects(decision, Optional.of(Duration.ofMillis(100)));
                }
                if (calls) {
                    calling = Optional.of(key);
                } else if (calling.equals(Optional.of(key))) {
                    calling = Optional.empty();
                }
                return decision;
            }
        };
    }

    /** #110036: a pod whose claim cannot be read is asked for every 100 ms; what is left of the client's rate is little. */
    private static Mutant onePodAfterTheOther() {
        return new Mutant(NODE, "one pod after the other") {
            private final Map<Key, Long> waiting = new HashMap<>();

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                boolean asks = situation.caches().of(Kinds.POD).all().stream()
                        .anyMatch(pod -> pod.spec().volumes().stream()
                                .anyMatch(volume -> !isRead(pod, volume, situation.caches())));
                if (!asks || calls(decision).findAny().isEmpty()) {
                    return decision;
                }
                long now = situation.now().monotonicNanos();
                long since = waiting.computeIfAbsent(key, first -> now);
                return now - since < Duration.ofMinutes(5).toNanos()
                        ? withoutEffects(decision, Optional.of(Duration.ofSeconds(1)))
                        : decision;
            }
        };
    }

    /** #115006: after a start, what no pod was seen to use is taken away, also if a pod's claim could not be read. */
    private static Mutant whatIsNotReadIsNotUsed() {
        return new Mutant(NODE, "what cannot be read is not used") {
            private final Map<Key, UnpublishCall> mounted = new HashMap<>();

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                calls(decision).forEach(call -> {
                    if (call instanceof PublishCall publish) {
                        mounted.put(key, new UnpublishCall(publish.onNode(), publish.record()));
                    }
                });
                boolean unread = situation.caches().of(Kinds.POD).all().stream()
                        .filter(pod -> pod.metadata().uid().equals(key.object().namespace()))
                        .anyMatch(pod -> pod.spec().volumes().stream()
                                .anyMatch(volume -> !isRead(pod, volume, situation.caches())));
                UnpublishCall call = unread ? mounted.remove(key) : null;
                return call == null
                        ? decision
                        : new Decision(
                                decision.state(),
                                List.of(new Effect.Perform(
                                        UNPUBLISH, call, Optional.empty(), Defaults.MOUNT_TIME_LIMIT)),
                                Optional.empty());
            }
        };
    }

    /** PR 106853: to wait for the controllers was an operation that failed, and was tried again ever more seldom. */
    private static Mutant waitingBacksOff() {
        return new Mutant(NODE, "waiting to be attached backs off") {
            private final Map<Key, Long> since = new HashMap<>();

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                long now = situation.now().monotonicNanos();
                long look = since.computeIfAbsent(key, first -> now);
                if (calls(decision).noneMatch(StageCall.class::isInstance)) {
                    return decision;
                }
                for (long wait = FIRST_WAIT.toNanos(); look < now; wait = Math.min(2 * wait, LONGEST_WAIT.toNanos())) {
                    look += wait;
                }
                return look > now ? withoutEffects(decision, Optional.of(Duration.ofNanos(look - now))) : decision;
            }
        };
    }

    /** H15: what another pod has mounted is asked for its access modes; a volume that a pod brings itself has no object to ask. */
    private static Mutant looksAtWhatIsNotThere() {
        return new Mutant(NODE, "looks at the modes of what has no object") {
            private final Map<VolumeId, Set<String>> mounted = new HashMap<>();

            @Override
            EffectResult learned(EffectResult result) {
                if (result.succeeded() && result.effect() instanceof Effect.Perform perform) {
                    if (perform.call() instanceof PublishCall publish) {
                        mounted.computeIfAbsent(publish.record().volumeId(), none -> new HashSet<>())
                                .add(publish.record().pod().uid());
                    } else if (perform.call() instanceof UnpublishCall unpublish) {
                        mounted.getOrDefault(unpublish.record().volumeId(), new HashSet<>())
                                .remove(unpublish.record().pod().uid());
                    }
                }
                return result;
            }

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                return calls(decision).anyMatch(call -> call instanceof PublishCall publish && isOfAnother(publish))
                        ? withoutEffects(decision, Optional.of(FIRST_WAIT))
                        : decision;
            }

            private boolean isOfAnother(PublishCall publish) {
                return publish.request().volume().uid().isEmpty()
                        && mounted.getOrDefault(publish.record().volumeId(), Set.of()).stream()
                                .anyMatch(pod ->
                                        !pod.equals(publish.record().pod().uid()));
            }
        };
    }

    /** #51982: a directory that is there after a boot was taken for a mount. */
    private static Mutant boots() {
        return new Mutant(NODE, "takes every boot for the same") {
            @Override
            String boot(String real) {
                return "always";
            }
        };
    }

    private static boolean isRead(Pod pod, PodVolume volume, Caches caches) {
        return volume.persistentVolumeClaimName()
                .map(name -> caches.get(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                ObjectKey.of(pod.metadata().namespace(), name))
                        .isPresent())
                .orElse(true);
    }

    private static Stream<RecordedCall> calls(Decision decision) {
        return decision.effects().stream()
                .filter(Effect.Perform.class::isInstance)
                .map(effect -> ((Effect.Perform) effect).call())
                .filter(RecordedCall.class::isInstance)
                .map(RecordedCall.class::cast);
    }

    private static Decision withoutEffects(Decision decision, Optional<Duration> wakeAfter) {
        return new Decision(decision.state(), List.of(), wakeAfter);
    }
}
