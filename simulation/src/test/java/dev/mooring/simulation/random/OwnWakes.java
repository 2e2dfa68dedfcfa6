// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Faults that were ours once, planted again: an object is told nothing any more, or is told without an end. Each has its own world. */
final class OwnWakes {
    private static final String ATTACH = "attach-detach";
    private static final String BINDER = "binder";

    private OwnWakes() {}

    static List<Mutant> all() {
        return List.of(
                tellsNoOtherClaim(),
                newsEndsTheTries(),
                wakesForWhatIsPast(),
                believesWhatItReadItself(),
                tellsPodsAlone(),
                tellsNoPodThatComesLate(),
                keepsWithoutAWord());
    }

    /** found-n1: an attachment that is to be detached was not told what it waits for if a pod was. */
    private static Mutant tellsPodsAlone() {
        return new Mutant(ATTACH, "tells pods alone") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                List<Concern> pods = decision.concerns().stream()
                        .filter(concern -> concern.kind() == Kinds.POD)
                        .toList();
                return pods.isEmpty()
                        ? decision
                        : new Decision(
                                decision.state(), decision.effects(), decision.wakeAfter(), pods, decision.waitsFor());
            }
        };
    }

    /** found-n1: a pod that came to wait while a call was in flight was told nothing before its end. */
    private static Mutant tellsNoPodThatComesLate() {
        return new Mutant(ATTACH, "tells no pod that comes during a call") {
            @Override
            List<Concern> waiting(List<Concern> real) {
                return List.of();
            }
        };
    }

    /** found-i6: that a bind gives a volume up was told to the volume, and not to another claim that it is meant for. */
    private static Mutant tellsNoOtherClaim() {
        return new Mutant(BINDER, "a bind that ends tells no other claim") {
            @Override
            boolean wakes(Key decided, Key other) {
                return !decided.type().equals("claim") || !other.type().equals("claim") || decided.equals(other);
            }
        };
    }

    /** found-l3: a call failed, news ended its back-off, and the controller did not try again. */
    private static Mutant newsEndsTheTries() {
        return new Mutant(ATTACH, "news that ends a back-off ends the tries") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                boolean failed = situation
                        .resultOf("attach")
                        .filter(result -> !result.succeeded())
                        .isPresent();
                return failed && situation.backoff("attach").isEmpty()
                        ? new Decision(decision.state(), decision.effects(), Optional.empty())
                        : decision;
            }
        };
    }

    /** found-l5: a selected node that is kept past its time had a timer that was past, too. */
    private static Mutant wakesForWhatIsPast() {
        return new Mutant(BINDER, "waits for a time that is past") {
            private final Map<Key, Long> unreadySince = new HashMap<>();

            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                boolean unready = key.type().equals("claim")
                        && situation
                                .caches()
                                .get(Kinds.PERSISTENT_VOLUME_CLAIM, key.object())
                                .flatMap(claim -> claim.metadata().annotation(Annotations.SELECTED_NODE))
                                .flatMap(name -> situation.caches().get(Kinds.NODE, ObjectKey.cluster(name)))
                                .filter(node -> !node.isReady())
                                .isPresent();
                if (!unready) {
                    unreadySince.remove(key);
                    return decision;
                }
                long now = situation.now().monotonicNanos();
                long since = unreadySince.computeIfAbsent(key, first -> now);
                Duration ttl = BinderOptions.DEFAULT.selectedNodeTtl().orElseThrow();
                return now - since >= ttl.toNanos() ? decision.wakeAfter(Duration.ZERO) : decision;
            }
        };
    }

    /** found-l5: what an attachment was read to be counted for the very decision that had asked, and was read again by the next one. */
    private static Mutant believesWhatItReadItself() {
        return new Mutant(ATTACH, "reads again what another round has read") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                Set<String> added = new HashSet<>();
                decision.effects().forEach(effect -> added.addAll(addedBy(effect)));
                List<Effect> reads = situation.caches().of(Kinds.VOLUME_ATTACHMENT).all().stream()
                        .filter(attachment ->
                                isListedAs(attachment, key.object().name(), added))
                        .<Effect>map(attachment -> new Effect.Read<>(
                                "confirm-attachment", Kinds.VOLUME_ATTACHMENT, ObjectKey.of(attachment)))
                        .filter(read -> situation.results().stream()
                                .map(EffectResult::effect)
                                .noneMatch(read::equals))
                        .toList();
                return reads.isEmpty() ? decision : Decision.nothing().and(reads);
            }
        };
    }

    private static Set<String> addedBy(Effect effect) {
        Set<String> added = new HashSet<>();
        if (effect.operation().equals("report-attached")
                && effect instanceof Effect.UpdateStatus<?> update
                && update.change().base() instanceof Node base
                && update.change().edited() instanceof Node edited) {
            edited.status().volumesAttached().stream().map(AttachedVolume::name).forEach(added::add);
            base.status().volumesAttached().stream().map(AttachedVolume::name).forEach(added::remove);
        }
        return added;
    }

    private static boolean isListedAs(VolumeAttachment attachment, String node, Set<String> names) {
        return attachment.spec().nodeName().equals(node)
                && attachment
                        .metadata()
                        .annotation("mooring.dev/reported-name")
                        .filter(names::contains)
                        .isPresent();
    }

    /** found-n1: a volume that is deleted and has no claim keeps its finalizer. */
    private static Mutant keepsWithoutAWord() {
        return new Mutant(BINDER, "keeps what is deleted without a word") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                return decision.waitsFor().isPresent() && decision.effects().isEmpty()
                        ? new Decision(decision.state(), decision.effects(), decision.wakeAfter())
                        : decision;
            }
        };
    }
}
