// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A planted bug: a controller whose effects, results or news are not what they should be. Production knows nothing of it. */
class Mutant {
    final String name;
    final Predicate<String> controllers;

    Mutant(String controller, String name) {
        this.name = controller + ": " + name;
        this.controllers = controller.equals("node")
                ? each -> true // agents have several controllers, and only an agent is asked for them
                : controller::equals;
    }

    boolean inAgents() {
        return name.startsWith("node:");
    }

    /** What is decided instead. */
    Decision decided(Key key, Decision decision, Situation situation) {
        return decision;
    }

    /**
     * What is decided instead by who knows what was decided before in the same life of the process.
     *
     * @param asked the operations that were asked for about the key before
     */
    Decision recalled(Key key, Decision decision, Set<String> asked) {
        return decision;
    }

    /** Whether nothing is decided about a key for a second. */
    boolean postpones(Key key, Situation situation) {
        return false;
    }

    /** Who is taken to wait for what is in flight. */
    List<Concern> waiting(List<Concern> real) {
        return real;
    }

    /** What is not read live, because the cache seems to say it. */
    boolean believesCache(Effect effect) {
        return false;
    }

    /** What is believed to have come of an effect. */
    EffectResult learned(EffectResult result) {
        return result;
    }

    /** What the caches seem to show to who decides. */
    Caches shown(Caches real) {
        return real;
    }

    /** Whether the end of a key's decision wakes another key. */
    boolean wakes(Key decided, Key other) {
        return true;
    }

    /** What an object is taken for, wherever it is seen: in changes and in the caches. */
    KubernetesObject seen(KubernetesObject object) {
        return object;
    }

    /** Whether a change is noticed. */
    boolean hears(ObjectChange<?> change) {
        return true;
    }

    /** Whether applied decisions are learned of. */
    boolean applies() {
        return true;
    }

    /** Whether a leader calls no plugin once its term is over. */
    boolean holdsCallsBack() {
        return true;
    }

    /** Whether a leader writes nothing once its term is over. */
    boolean holdsWritesBack() {
        return true;
    }

    /** What is shown of a machine's devices to who makes file systems. */
    BlockDevices devices(BlockDevices real) {
        return real;
    }

    /** What is shown of the first bytes of a device to who makes file systems. */
    Outcome<byte[]> head(Outcome<byte[]> real) {
        return real;
    }

    /** What the tools seem to say to who makes file systems. */
    ProcessRunner tools(ProcessRunner real) {
        return real;
    }

    /** What is noted on a volume of its file system. */
    VolumeNotes notes(VolumeNotes real) {
        return real;
    }

    /** Whether records reach the disk. */
    boolean records() {
        return true;
    }

    /** The boot that a machine is taken to be in. */
    String boot(String real) {
        return real;
    }

    /** Whether records are read at the start. */
    boolean remembers() {
        return true;
    }

    // ---- kinds of bugs ----

    /** Another effect is carried out. */
    static Mutant effect(
            String controller, String name, String operation, BiFunction<Effect, Situation, List<Effect>> instead) {
        return new Mutant(controller, name) {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                if (decision.effects().stream()
                        .noneMatch(each -> each.operation().equals(operation))) {
                    return decision;
                }
                List<Effect> effects = new ArrayList<>();
                for (Effect each : decision.effects()) {
                    effects.addAll(each.operation().equals(operation) ? instead.apply(each, situation) : List.of(each));
                }
                return decision.withEffects(effects);
            }
        };
    }

    /** A write is not made, and believed to be: its object is only read. */
    static Mutant skipped(String controller, String operation) {
        return effect(controller, "skips " + operation, operation, (effect, situation) -> List.of(readOf(effect)));
    }

    private static Effect readOf(Effect effect) {
        return effect instanceof Effect.Write write
                ? new Effect.Read<>(effect.operation(), write.kind(), write.object())
                : effect;
    }

    /** A write overwrites what another writer wrote. */
    static Mutant unversioned(String controller, String operation) {
        return effect(
                controller,
                operation + " without the version",
                operation,
                (effect, situation) -> List.of(rewritten(effect, Mutant::unversioned)));
    }

    /** Something else is written. */
    static Mutant edited(String controller, String name, String operation, UnaryOperator<KubernetesObject> edit) {
        return effect(
                controller,
                name,
                operation,
                (effect, situation) ->
                        List.of(rewritten(effect, change -> new Change<>(change.base(), edit.apply(change.edited())))));
    }

    @SuppressWarnings("unchecked") // an edit keeps the type of what it edits
    static Effect rewritten(Effect effect, UnaryOperator<Change<KubernetesObject>> rewrite) {
        if (effect instanceof Effect.Update<?> update) {
            return new Effect.Update<>(
                    effect.operation(), (Kind<KubernetesObject>) update.kind(), rewrite.apply((Change<KubernetesObject>)
                            update.change()));
        } else if (effect instanceof Effect.UpdateStatus<?> update) {
            return new Effect.UpdateStatus<>(
                    effect.operation(), (Kind<KubernetesObject>) update.kind(), rewrite.apply((Change<KubernetesObject>)
                            update.change()));
        } else if (effect instanceof Effect.Create<?> create) {
            KubernetesObject value = create.value();
            return new Effect.Create<>(
                    effect.operation(),
                    (Kind<KubernetesObject>) create.kind(),
                    rewrite.apply(new Change<>(value, value)).edited());
        }
        return effect;
    }

    private static Change<KubernetesObject> unversioned(Change<KubernetesObject> change) {
        return new Change<>(
                withMetadata(change.base(), meta -> meta.withResourceVersion("")),
                withMetadata(change.edited(), meta -> meta.withResourceVersion("")));
    }

    static KubernetesObject withMetadata(KubernetesObject object, UnaryOperator<ObjectMeta> edit) {
        ObjectMeta metadata = edit.apply(object.metadata());
        if (object instanceof PersistentVolume volume) {
            return volume.withMetadata(metadata);
        } else if (object instanceof PersistentVolumeClaim claim) {
            return claim.withMetadata(metadata);
        } else if (object instanceof VolumeAttachment slot) {
            return slot.withMetadata(metadata);
        } else if (object instanceof dev.mooring.storage.model.Node node) {
            return node.withMetadata(metadata);
        }
        return object;
    }

    /** What became of an operation is mistaken for something else. */
    static Mutant result(
            String controller, String name, String operation, Function<EffectResult, EffectResult> mistaken) {
        return new Mutant(controller, name) {
            @Override
            EffectResult learned(EffectResult result) {
                return result.effect().operation().equals(operation) ? mistaken.apply(result) : result;
            }
        };
    }

    /** An uncertain outcome counts as done. */
    static Mutant uncertainIsDone(String controller, String operation, Object value) {
        return result(
                controller,
                "an uncertain " + operation + " is done",
                operation,
                result -> result.match(
                        stored -> stored,
                        performed -> performed.answer() instanceof Outcome.Uncertain<?>
                                ? new EffectResult.Performed(performed.effect(), Outcome.done(value))
                                : performed));
    }

    /** A refusal counts as done. */
    static Mutant refusedIsDone(String controller, String operation) {
        return result(
                controller,
                "a refused " + operation + " is done",
                operation,
                result -> result.match(
                        stored -> stored,
                        performed -> performed.answer() instanceof Outcome.Refused<?>
                                ? new EffectResult.Performed(performed.effect(), Outcome.done())
                                : performed));
    }

    /** What should be read live is taken from the cache. */
    static Mutant fromCache(String controller, String operation) {
        return new Mutant(controller, operation + " trusts the cache") {
            @Override
            boolean believesCache(Effect effect) {
                return effect.operation().equals(operation);
            }
        };
    }

    /** What the cache says to an effect that should have asked the store. */
    static EffectResult cached(Effect effect, Caches caches) {
        if (effect instanceof Effect.FindLive<?> search) {
            return new EffectResult.Stored(effect, StoreResult.ok(found(search, caches)));
        }
        Effect.Read<?> read = (Effect.Read<?>) effect;
        return new EffectResult.Stored(
                effect,
                caches.get(read.kind(), read.object())
                        .<StoreResult<?>>map(StoreResult::ok)
                        .orElseGet(() -> StoreResult.failed(StoreResult.Failure.NOT_FOUND, "not in the cache")));
    }

    private static <T extends KubernetesObject> Optional<T> found(Effect.FindLive<T> search, Caches caches) {
        return caches.of(search.kind()).all().stream().filter(search.wanted()).findFirst();
    }

    /** What the caches seem to show to who decides about a key. */
    Caches shown(Key key, Caches real) {
        return shown(real);
    }

    /** Some objects are taken for something else where keys of one type are decided; where all are, if the type is empty. */
    static Mutant mistaken(String controller, String name, String keyType, UnaryOperator<KubernetesObject> seen) {
        return new Mutant(controller, name) {
            @Override
            KubernetesObject seen(KubernetesObject object) {
                return seen.apply(object);
            }

            @Override
            Caches shown(Key key, Caches real) {
                return keyType.isEmpty() || key.type().equals(keyType) ? ShownCaches.of(real, seen) : real;
            }
        };
    }

    /** Some changes are not noticed. */
    static Mutant deaf(String controller, String name, Predicate<ObjectChange<?>> missed) {
        return new Mutant(controller, name) {
            @Override
            boolean hears(ObjectChange<?> change) {
                return !missed.test(change);
            }
        };
    }

    /** What was decided is forgotten at once, reservations included. */
    static Mutant unapplied(String controller) {
        return new Mutant(controller, "ignores reservations") {
            @Override
            boolean applies() {
                return false;
            }
        };
    }

    // ---- changes ----

    static boolean isNew(ObjectChange<?> change, Kind<?> kind) {
        return change.concerns(kind) && change.before().isEmpty();
    }

    static boolean isGone(ObjectChange<?> change, Kind<?> kind) {
        return change.concerns(kind) && change.after().isEmpty();
    }
}
