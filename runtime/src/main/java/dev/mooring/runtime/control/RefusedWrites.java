// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The changes of one key that the store refused, and would refuse again: the same change to the same version of an object is not asked
 * for twice. What breaks a rule ({@link Failure#INVALID}) breaks it until the object changes. What is not allowed ({@link
 * Failure#FORBIDDEN}) may be allowed without that, so it is tried again after a long time. Confined to the decider.
 */
final class RefusedWrites {
    /** So many different changes of one operation to one version are tried: they may differ in no more than a time. */
    private static final int TRIES_OF_ONE_VERSION = 3;

    private List<RefusedWrite> writes = List.of(); // of most keys none is refused

    private record RefusedWrite(
            Effect.Write write, Change<?> change, String message, long againAtNanos, boolean forEver) {
        boolean isOver(long nowNanos) {
            return !forEver && nowNanos - againAtNanos >= 0;
        }
    }

    boolean isEmpty() {
        return writes.isEmpty();
    }

    /** Learns how an effect ended. */
    void learn(EffectResult result, TimeSource time) {
        Optional<Failure> failure =
                result.storeFailure().filter(reason -> reason == Failure.INVALID || reason == Failure.FORBIDDEN);
        if (failure.isPresent() && result.effect() instanceof Effect.Write write) {
            change(write)
                    .ifPresent(change -> add(new RefusedWrite(
                            write,
                            change,
                            result.message(),
                            time.now().monotonicNanosAfter(Defaults.RIGHTS_MAY_HAVE_CHANGED),
                            failure.get() == Failure.INVALID)));
        }
    }

    private void add(RefusedWrite write) {
        if (writes.isEmpty()) {
            writes = new ArrayList<>(1);
        }
        writes.add(write);
    }

    /** Forgets what was refused for versions that are no more, and what may be tried again. */
    void forgetOld(Caches caches, long nowNanos) {
        if (!writes.isEmpty()) {
            writes.removeIf(refused -> refused.isOver(nowNanos) || !isCurrent(refused, caches));
        }
    }

    private static boolean isCurrent(RefusedWrite refused, Caches caches) {
        Kind<?> kind = refused.write.kind();
        String version = refused.change.base().metadata().resourceVersion();
        return !caches.holds(kind)
                || caches.get(kind, refused.write.object())
                        .map(KubernetesObject::metadata)
                        .filter(known -> known.resourceVersion().equals(version))
                        .isPresent();
    }

    /** Whether the store has refused just that, or enough of the same kind. */
    boolean contains(Effect effect) {
        return !writes.isEmpty()
                && effect instanceof Effect.Write write
                && (writes.stream().anyMatch(refused -> refused.write.equals(write))
                        || alike(write).count() >= TRIES_OF_ONE_VERSION);
    }

    private Stream<RefusedWrite> alike(Effect.Write write) {
        return writes.stream()
                .filter(refused -> refused.write.operation().equals(write.operation())
                        && refused.write.kind().equals(write.kind())
                        && refused.write.object().equals(write.object()));
    }

    /**
     * The decision without what has been refused already; it wakes its key when that may be tried again. If it does nothing more, its objects
     * wait for that.
     */
    Decision without(Decision decision, long nowNanos) {
        List<Effect> rest =
                decision.effects().stream().filter(effect -> !contains(effect)).toList();
        if (rest.size() == decision.effects().size()) {
            return decision;
        }
        Optional<Duration> again = decision.effects().stream()
                .filter(this::contains)
                .flatMap(effect -> alike((Effect.Write) effect))
                .filter(refused -> !refused.forEver)
                .map(refused -> Duration.ofNanos(refused.againAtNanos - nowNanos))
                .min(Duration::compareTo);
        Optional<Duration> wake = decision.wakeAfter()
                .map(asked -> again.filter(time -> time.compareTo(asked) < 0).orElse(asked))
                .or(() -> again);
        Decision without = decision.withEffects(rest).wakeAfter(wake);
        return without.waitsFor().isPresent() || !rest.stream().allMatch(Effect.Announce.class::isInstance)
                ? without
                : reason(decision).map(without::waitingFor).orElse(without);
    }

    private Optional<String> reason(Decision decision) {
        return decision.effects().stream()
                .filter(this::contains)
                .flatMap(effect -> alike((Effect.Write) effect))
                .findFirst()
                .map(refused -> WaitText.refused(refused.write, refused.message));
    }

    /** What is changed in which version; empty for a write that depends on no version. */
    private static Optional<Change<?>> change(Effect.Write write) {
        if (write instanceof Effect.Update<?> update) {
            return Optional.of(update.change());
        }
        return write instanceof Effect.UpdateStatus<?> update ? Optional.of(update.change()) : Optional.empty();
    }
}
