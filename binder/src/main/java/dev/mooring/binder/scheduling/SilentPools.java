// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Ends promises of space that a pool never confirms. A pool is written only when its account changes: it stays as it is where it was
 * written before the claim was seen to have its volume, where another volume went at the same time, and where a driver does not count
 * what is promised. external-provisioner asks each driver once a minute; a pool that stayed the same for longer is believed.
 * A part of the controllers that promise space; its keys are claims. Confined to the decider.
 */
final class SilentPools {
    static final String CLAIM = "promised-space";

    /** Twice the interval of external-provisioner, {@code --capacity-poll-interval}. */
    static final Duration LONGEST = Duration.ofMinutes(2);

    private final SchedulingIndexes indexes;

    SilentPools(SchedulingIndexes indexes) {
        this.indexes = indexes;
    }

    private record Since(String claimUid, long monotonicNanos) implements KeyState {}

    /** After the indexes have learnt of the change. */
    void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)
                && indexes.assumptions().awaitsPool(change.key()).isPresent()) {
            mailbox.recheck(new Key(CLAIM, change.key()));
        }
    }

    Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<String> waiting = indexes.assumptions().awaitsPool(key.object());
        if (waiting.isEmpty()) {
            return Decision.nothing();
        }
        String uid = waiting.get();
        long now = situation.now().monotonicNanos();
        Since since = state.map(Since.class::cast)
                .filter(known -> known.claimUid.equals(uid))
                .orElseGet(() -> new Since(uid, now));
        Duration left = LONGEST.minusNanos(now - since.monotonicNanos);
        return left.compareTo(Duration.ZERO) > 0 ? Decision.remember(since).wakeAfter(left) : Decision.nothing();
    }

    /** After a decision about a claim; answers with what it can help. */
    Set<QueueingHint> applied(Key key, Optional<KeyState> after) {
        return after.isPresent()
                ? Set.of()
                : indexes.assumptions()
                        .settle(key.object())
                        .map(storageClass -> Set.of(QueueingHint.of(Source.SPACE, storageClass)))
                        .orElse(Set.of());
    }
}
