// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What is known of a volume's condition between two looks, and when people are told (semantics/csi §13): when it changes, and once more
 * every half hour, since an API server forgets events after an hour.
 *
 * @param dueNanos when it is looked at again, by the monotonic clock
 * @param abnormal what is wrong with it; empty if nothing is
 * @param toldNanos when people were told that
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConditionMemory(long dueNanos, Optional<String> abnormal, long toldNanos) implements KeyState {
    /** How long after one look the next one begins. */
    public static final Duration INTERVAL = Duration.ofMinutes(1);

    /** When a driver is asked again that cannot tell. */
    public static final Duration UNABLE = Duration.ofMinutes(10);

    /** When the same is told once more. */
    public static final Duration REPEAT = Duration.ofMinutes(30);

    /** The reason of the event that says that a volume is not in good order. */
    public static final String ABNORMAL = "VolumeConditionAbnormal";

    /** The reason of the event that says that it is again. */
    public static final String NORMAL = "VolumeConditionNormal";

    /** What the latter says. */
    public static final String RECOVERED = "The Volume returns to the healthy state";

    /** What a look has come to; empty if there was none, or it has failed. */
    public static Optional<Condition> seenBy(Optional<EffectResult> look) {
        return look.flatMap(EffectResult::outcome)
                .flatMap(outcome -> outcome.result())
                .map(Condition.class::cast);
    }

    /** Whether a look has shown that the driver cannot tell. */
    public static boolean isUnable(Optional<EffectResult> look) {
        return look.flatMap(EffectResult::outcome)
                .filter(outcome -> outcome.isRefused(Refusal.UNSUPPORTED))
                .isPresent();
    }

    /** Nothing is known yet. */
    public static ConditionMemory first(Time now, Duration wait) {
        return new ConditionMemory(now.monotonicNanosAfter(wait), Optional.empty(), now.monotonicNanos());
    }

    /** The same for a volume of which the driver cannot tell anything. */
    public static ConditionMemory unable(Time now) {
        return first(now, UNABLE);
    }

    /** How long nothing is to be done; empty if it is time to look. */
    public Optional<Duration> rest(Time now) {
        return Optional.of(Duration.ofNanos(dueNanos - now.monotonicNanos()))
                .filter(left -> !left.isNegative() && !left.isZero());
    }

    /** What is known after a look. */
    public ConditionMemory after(Condition condition, Time now) {
        return new ConditionMemory(
                now.monotonicNanosAfter(INTERVAL),
                condition.abnormal() ? Optional.of(condition.message()) : Optional.empty(),
                isNews(condition, now) ? now.monotonicNanos() : toldNanos);
    }

    /** Whether people have to be told what a look came to: that something is wrong, or that nothing is any more. */
    public boolean isNews(Condition condition, Time now) {
        if (!condition.abnormal()) {
            return abnormal.isPresent();
        }
        return abnormal.filter(condition.message()::equals).isEmpty()
                || now.monotonicNanos() - toldNanos >= REPEAT.toNanos();
    }
}
