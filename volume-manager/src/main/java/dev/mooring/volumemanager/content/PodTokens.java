// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.volumemanager.content.TokenIssuer.Issued;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;

/**
 * The tokens that the volumes of this node's pods show. A new one is asked for at 80 % of its life, and after a day at the latest; while
 * that fails, the old one is shown as long as it is good, as a kubelet does. Kept in memory only. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PodTokens implements TokenSource {
    private static final int RENEWED_AT_PERCENT = 80;
    private static final Duration LONGEST_USE = Duration.ofDays(1);
    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    private final TokenIssuer issuer;
    private final InstantSource clock;
    private final BiConsumer<Duration, Runnable> later;
    private final ContentFeed feed;
    // Guarded by this.
    private final Map<Use, Kept> kept = new HashMap<>();
    private final Set<Use> awaited = new HashSet<>();

    private record Use(PodRef pod, String account, Optional<String> audience, Duration life) {}

    private record Kept(Issued token, Instant renewal) {}

    /**
     * Tokens are asked for when volumes need them.
     *
     * @param later does something after a time, on any thread; may drop it when the node's agent ends
     * @param feed told when a pod's volumes need another token
     */
    public PodTokens(TokenIssuer issuer, InstantSource clock, BiConsumer<Duration, Runnable> later, ContentFeed feed) {
        this.issuer = issuer;
        this.clock = clock;
        this.later = later;
        this.feed = feed;
    }

    @Override
    public Outcome<SecretValue> token(PodRef pod, String account, Optional<String> audience, Duration life) {
        return issued(pod, account, audience, life).map(Issued::value);
    }

    /** The same as {@link #token}, with when the token ends. */
    public Outcome<Issued> issued(PodRef pod, String account, Optional<String> audience, Duration life) {
        Use use = new Use(pod, account, audience, life);
        Instant now = clock.instant();
        Optional<Kept> old = kept(use, now);
        if (old.filter(token -> now.isBefore(token.renewal())).isPresent()) {
            await(use, Duration.between(now, old.get().renewal()));
            return Outcome.done(old.get().token());
        }
        Outcome<Issued> issued = issuer.issue(pod, account, audience, life);
        issued.result().ifPresent(token -> keep(use, token, now));
        if (!issued.isDone() && old.isPresent()) {
            await(use, NEXT_TRY);
            return Outcome.done(old.get().token());
        }
        return issued;
    }

    @Override
    public synchronized void release(PodRef pod) {
        kept.keySet().removeIf(use -> use.pod().equals(pod));
    }

    private synchronized Optional<Kept> kept(Use use, Instant now) {
        kept.values().removeIf(token -> !now.isBefore(token.token().expires()));
        return Optional.ofNullable(kept.get(use));
    }

    private void keep(Use use, Issued token, Instant now) {
        Duration good = Duration.between(now, token.expires())
                .multipliedBy(RENEWED_AT_PERCENT)
                .dividedBy(100);
        Duration used = good.compareTo(LONGEST_USE) < 0 ? good : LONGEST_USE;
        synchronized (this) {
            kept.put(use, new Kept(token, now.plus(used)));
        }
        // One that is over already, by a clock that differs much, is asked for again after a rest.
        await(use, used.compareTo(NEXT_TRY) < 0 ? NEXT_TRY : used);
    }

    /** Once at a time: volumes are also written again for other reasons. */
    private void await(Use use, Duration wait) {
        synchronized (this) {
            if (!awaited.add(use)) {
                return;
            }
        }
        later.accept(wait, () -> {
            synchronized (this) {
                awaited.remove(use);
            }
            feed.changed(use.pod().uid());
        });
    }
}
