// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.store.StoreResult.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What callers ask of a result without folding it. */
class StoreResultTest {
    private static final StoreResult<String> OK = StoreResult.ok("value");
    private static final StoreResult<String> FAILED =
            new StoreResult.Failed<>(Failure.THROTTLED, "too many", Optional.of(Duration.ofSeconds(2)));

    @Test
    void aSuccessIsMappedAndNeverRecovered() {
        List<Object> seen = new ArrayList<>();
        OK.ifOk(seen::add);
        OK.ifFailed(seen::add);

        assertThat(seen).containsExactly("value");
        assertThat(OK.isOk()).isTrue();
        assertThat(OK.message()).isEmpty();
        assertThat(OK.retryAfter()).isEmpty();
        assertThat(OK.map(String::length)).isEqualTo(StoreResult.ok(5));
        assertThat(OK.then(value -> FAILED)).isEqualTo(FAILED);
        assertThat(OK.recover(failed -> FAILED)).isSameAs(OK);
        assertThat(OK.orThrow()).isEqualTo("value");
        assertThatThrownBy(OK::failed).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFailureStaysWhatItIs() {
        List<Object> seen = new ArrayList<>();
        FAILED.ifOk(seen::add);
        FAILED.ifFailed(seen::add);

        assertThat(seen).containsExactly(FAILED);
        assertThat(FAILED.isOk()).isFalse();
        assertThat(FAILED.message()).isEqualTo("too many");
        assertThat(FAILED.retryAfter()).contains(Duration.ofSeconds(2));
        assertThat(FAILED.map(String::length)).isEqualTo(FAILED);
        assertThat(FAILED.then(value -> StoreResult.ok(1))).isEqualTo(FAILED);
        assertThat(FAILED.<Integer>failed()).isEqualTo(FAILED);
        assertThat(FAILED.recover(failed -> StoreResult.ok(failed.message()))).isEqualTo(StoreResult.ok("too many"));
    }

    @Test
    void whatIsThrownHasTheFailureInIt() {
        assertThatThrownBy(FAILED::orThrow)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        thrown -> assertThat(thrown.failed()).isEqualTo(FAILED))
                .hasMessage("THROTTLED: too many");
        assertThatThrownBy(() -> FAILED.orThrow(failed -> new UncheckedIOException(new IOException(failed.message()))))
                .isInstanceOf(UncheckedIOException.class);
    }
}
