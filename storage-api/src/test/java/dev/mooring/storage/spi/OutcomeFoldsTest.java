// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What callers ask of an outcome without naming all five kinds. */
class OutcomeFoldsTest {
    private static final Outcome<String> DONE = Outcome.done("value");
    private static final Outcome<String> REFUSED = Outcome.refused(Refusal.IN_USE, "refused");
    private static final Outcome<String> UNCERTAIN = Outcome.uncertain("uncertain");
    private static final Outcome<String> DEFERRED = Outcome.deferred("deferred", Duration.ofSeconds(3));
    private static final Outcome<String> ELSEWHERE =
            Outcome.inUseElsewhere(List.of(new NodeRef("n1", "uid")), "elsewhere");

    static Stream<Outcome<String>> failures() {
        return Stream.of(REFUSED, UNCERTAIN, DEFERRED, ELSEWHERE);
    }

    @Test
    void saysWhichKindItIs() {
        List<Outcome<String>> all = List.of(DONE, REFUSED, UNCERTAIN, DEFERRED, ELSEWHERE);

        assertThat(all.stream().filter(Outcome::isDone)).containsExactly(DONE);
        assertThat(all.stream().filter(Outcome::isRefused)).containsExactly(REFUSED);
        assertThat(all.stream().filter(Outcome::isUncertain)).containsExactly(UNCERTAIN);
        assertThat(all.stream().filter(Outcome::isDeferred)).containsExactly(DEFERRED);
        assertThat(all.stream().filter(Outcome::isInUseElsewhere)).containsExactly(ELSEWHERE);
        assertThat(all.stream().filter(Outcome::isWithoutEffect)).containsExactly(REFUSED, DEFERRED, ELSEWHERE);
        assertThat(all.stream().filter(outcome -> outcome.isRefused(Refusal.IN_USE)))
                .containsExactly(REFUSED);
        assertThat(all.stream().filter(outcome -> outcome.isRefused(Refusal.DENIED)))
                .isEmpty();
        assertThat(all.stream().map(Outcome::message))
                .containsExactly("", "refused", "uncertain", "deferred", "elsewhere");
        assertThat(all.stream().flatMap(outcome -> outcome.retryAfter().stream()))
                .containsExactly(Duration.ofSeconds(3));
        assertThat(all.stream().flatMap(outcome -> outcome.nodes().stream())).containsExactly(new NodeRef("n1", "uid"));
    }

    @Test
    void aSuccessIsMappedAndNeverRecovered() {
        List<String> seen = new ArrayList<>();
        DONE.ifOk(seen::add);
        DONE.ifFailed(failed -> seen.add("failed"));

        assertThat(seen).containsExactly("value");
        assertThat(DONE.map(String::length)).isEqualTo(Outcome.done(5));
        assertThat(DONE.then(value -> REFUSED)).isEqualTo(REFUSED);
        assertThat(DONE.recover(failed -> REFUSED)).isSameAs(DONE);
        assertThat(DONE.recoverRefused(failed -> REFUSED)).isSameAs(DONE);
        assertThat(DONE.recoverDeferred(failed -> REFUSED)).isSameAs(DONE);
        assertThat(DONE.orThrow()).isEqualTo("value");
        assertThatThrownBy(DONE::failed).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureStaysWhatItIs(Outcome<String> failure) {
        List<Object> seen = new ArrayList<>();
        failure.ifOk(seen::add);
        failure.ifFailed(seen::add);

        assertThat(seen).containsExactly(failure);
        assertThat(failure.map(String::length)).isEqualTo(failure);
        assertThat(failure.then(value -> Outcome.done(1))).isEqualTo(failure);
        assertThat(failure.<Integer>failed()).isEqualTo(failure);
        assertThat(failure.recover(failed -> Outcome.done(failed.message())))
                .isEqualTo(Outcome.done(failure.message()));
        assertThat(failure.recoverRefused(refused -> DONE)).isEqualTo(failure.isRefused() ? DONE : failure);
        assertThat(failure.recoverDeferred(deferred -> DONE)).isEqualTo(failure.isDeferred() ? DONE : failure);
        assertThatThrownBy(failure::orThrow)
                .isInstanceOfSatisfying(
                        OutcomeException.class,
                        thrown -> assertThat(thrown.outcome()).isEqualTo(failure))
                .hasMessage(failure.message());
    }
}
