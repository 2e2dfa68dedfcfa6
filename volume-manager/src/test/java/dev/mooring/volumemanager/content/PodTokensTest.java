// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.volumemanager.content.TokenIssuer.Issued;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Time only moves when told. */
class PodTokensTest {
    private static final PodRef POD = new PodRef("ns", "web", "uid");
    private static final Duration HOUR = Duration.ofHours(1);

    private record Waiting(Instant due, Runnable work) {}

    private final List<Waiting> waiting = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final ContentFeed feed = new ContentFeed(new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), () -> Instant.EPOCH, IdSource.random(new Random(1)))));
    private final InstantSource clock = () -> this.now;
    private final PodTokens tokens = new PodTokens(
            this::issue,
            clock,
            (wait, work) -> waiting.add(new Waiting(clock.instant().plus(wait), work)),
            feed);

    private Instant now = Instant.parse("2000-01-01T00:00:00Z");
    private int issued;
    private boolean away;
    private Duration granted = HOUR;

    private Outcome<Issued> issue(PodRef pod, String account, Optional<String> audience, Duration life) {
        if (away) {
            return Outcome.deferred("the cluster is away");
        }
        String text = account + "@" + audience.orElse("cluster") + "#" + ++issued;
        return Outcome.done(new Issued(new SecretValue(text.getBytes(StandardCharsets.UTF_8)), now.plus(granted)));
    }

    private String shown(String audience) {
        return tokens.token(POD, "builder", Optional.of(audience), HOUR)
                .map(value -> new String(value.reveal(), StandardCharsets.UTF_8))
                .match(done -> done.value(), no -> no.why(), no -> no.why(), no -> no.why(), no -> "elsewhere");
    }

    private void pass(Duration time) {
        Instant end = now.plus(time);
        while (true) {
            Optional<Waiting> next =
                    waiting.stream().filter(each -> !each.due().isAfter(end)).min(Comparator.comparing(Waiting::due));
            if (next.isEmpty()) {
                now = end;
                return;
            }
            waiting.remove(next.get());
            now = next.get().due();
            next.get().work().run();
        }
    }

    private PodTokensTest following() {
        feed.onChange(uid -> {
            told.add(uid + " at "
                    + Duration.between(Instant.parse("2000-01-01T00:00:00Z"), now)
                            .toMinutes());
            String unused = shown("vault");
        });
        return this;
    }

    @Test
    void isKeptUntilFourFifthsOfItsLifeAreOverAndThenMadeAnew() {
        following();
        assertThat(shown("vault")).isEqualTo("builder@vault#1");
        pass(Duration.ofMinutes(47));
        assertThat(shown("vault")).isEqualTo("builder@vault#1");
        assertThat(told).isEmpty();
        pass(Duration.ofMinutes(2));
        assertThat(told).containsExactly("uid at 48");
        assertThat(shown("vault")).isEqualTo("builder@vault#2");
        pass(HOUR);
        assertThat(told).containsExactly("uid at 48", "uid at 96");
    }

    @Test
    void audiencesHaveTokensOfTheirOwn() {
        assertThat(shown("vault")).isEqualTo("builder@vault#1");
        assertThat(shown("bank")).isEqualTo("builder@bank#2");
        assertThat(shown("vault")).isEqualTo("builder@vault#1");
    }

    @Test
    void whatTheIssuerChoosesCounts() {
        following();
        granted = Duration.ofMinutes(10);
        assertThat(shown("vault")).endsWith("#1");
        pass(Duration.ofMinutes(9));
        assertThat(told).containsExactly("uid at 8");
    }

    @Test
    void oneThatIsGoodForYearsIsUsedForADay() {
        following();
        granted = Duration.ofDays(365);
        assertThat(shown("vault")).endsWith("#1");
        pass(Duration.ofHours(25));
        assertThat(told).containsExactly("uid at " + Duration.ofDays(1).toMinutes());
    }

    @Test
    void theOldOneIsShownAsLongAsItIsGoodWhileThereIsNoNewOne() {
        following();
        assertThat(shown("vault")).endsWith("#1");
        away = true;
        pass(Duration.ofMinutes(50));
        assertThat(shown("vault")).endsWith("#1");
        assertThat(told).containsExactly("uid at 48", "uid at 49", "uid at 50");
        pass(Duration.ofMinutes(11));
        assertThat(shown("vault")).isEqualTo("the cluster is away");
        away = false;
        assertThat(shown("vault")).endsWith("#2");
    }

    @Test
    void noPodIsToldTwiceAtATime() {
        for (int i = 0; i < 10; i++) {
            assertThat(shown("vault")).endsWith("#1");
        }
        assertThat(waiting).hasSize(1);
    }

    @Test
    void aClockThatWasSetBackLosesNoRenewal() {
        following();
        assertThat(shown("vault")).endsWith("#1");
        Waiting renewal = waiting.remove(0);
        now = now.minus(HOUR);
        renewal.work().run();
        assertThat(shown("vault")).endsWith("#1");
        assertThat(waiting).hasSize(1);
    }

    @Test
    void oneThatIsOverAsSoonAsItIsThereIsNotAskedForWithoutRest() {
        granted = HOUR.negated(); // this node's clock is two hours ahead
        assertThat(shown("vault")).endsWith("#1");
        assertThat(waiting).hasSize(1);
        assertThat(waiting.get(0).due()).isEqualTo(now.plus(Duration.ofMinutes(1)));
    }

    @Test
    void isForgottenWithItsPod() {
        PodRef other = new PodRef("ns", "db", "uid2");
        assertThat(shown("vault")).isEqualTo("builder@vault#1");
        tokens.release(other);
        assertThat(shown("vault")).isEqualTo("builder@vault#1");
        tokens.release(POD);
        assertThat(shown("vault")).isEqualTo("builder@vault#2");
    }
}
