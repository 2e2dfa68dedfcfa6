// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A condition that goes on holding keeps its time and its place; others are left alone. */
class ClaimConditionsTest {
    private static final Instant LONG_AGO = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2001-01-01T00:00:00Z");
    private static final Condition FIRST = condition("First", ConditionStatus.TRUE);
    private static final Condition LAST = condition("Last", ConditionStatus.TRUE);

    private static Condition condition(String type, ConditionStatus status) {
        return new Condition(
                type, status, "Reason", "message", Optional.of(LONG_AGO), Optional.of(LONG_AGO), Optional.empty());
    }

    private static PersistentVolumeClaimStatus having(Condition... conditions) {
        return PersistentVolumeClaimStatus.EMPTY.withConditions(List.of(conditions));
    }

    private static List<Condition> with(PersistentVolumeClaimStatus status) {
        return ClaimConditions.with(status, "Resizing", "New", "text", NOW).conditions();
    }

    private static Condition now(Instant since) {
        return new Condition(
                "Resizing",
                ConditionStatus.TRUE,
                "New",
                "text",
                Optional.of(since),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void aNewConditionComesLast() {
        assertThat(with(having(FIRST, LAST))).containsExactly(FIRST, LAST, now(NOW));
    }

    @Test
    void oneThatGoesOnHoldingKeepsItsTimesAndItsPlace() {
        assertThat(with(having(condition("Resizing", ConditionStatus.TRUE), LAST)))
                .containsExactly(now(LONG_AGO).withLastProbeTime(Optional.of(LONG_AGO)), LAST);
    }

    @Test
    void oneThatDidNotHoldBeginsNow() {
        assertThat(with(having(FIRST, condition("Resizing", ConditionStatus.FALSE))))
                .containsExactly(FIRST, now(NOW).withLastProbeTime(Optional.of(LONG_AGO)));
    }

    @Test
    void onlyWhatIsNamedIsTakenAway() {
        assertThat(ClaimConditions.without(having(FIRST, LAST), Set.of("First", "None"))
                        .conditions())
                .containsExactly(LAST);
    }

    @Test
    void aConditionThatIsFalseDoesNotHold() {
        PersistentVolumeClaimStatus status = having(FIRST, condition("Last", ConditionStatus.FALSE));
        assertThat(ClaimConditions.holds(status, "First")).isTrue();
        assertThat(ClaimConditions.holds(status, "Last")).isFalse();
        assertThat(ClaimConditions.holds(status, "None")).isFalse();
    }
}
