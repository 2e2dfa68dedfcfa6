// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.operations.MetricsText;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ControllerStatusTest {
    private final AtomicLong nanos = new AtomicLong();
    private final TimeSource time = () -> new Time(Instant.EPOCH, nanos.get());
    private final ControllerStatus status = new ControllerStatus(time, "mooring-controller", Duration.ofSeconds(60));

    @Test
    void isUnreadyUntilTheServerWasAsked() {
        assertThat(status.hindrance()).isPresent();
        assertThat(status.sickness()).isEmpty();

        status.tried();

        assertThat(status.hindrance()).isEmpty();
    }

    @Test
    void isSickWhenItDoesNotTryToBeElectedAnyMore() {
        status.tried();
        nanos.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(status.sickness()).isEmpty();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(status.sickness()).contains("no try to be elected for 61 s");

        status.tried();
        assertThat(status.sickness()).isEmpty();
    }

    @Test
    void whoLeadsWithoutAskingIsNeverSilent() {
        ControllerStatus alone = new ControllerStatus(time, "", Duration.ZERO);
        alone.tried();
        nanos.addAndGet(Duration.ofDays(1).toNanos());

        assertThat(alone.sickness()).isEmpty();
        assertThat(MetricsText.of(alone.metrics().join())).doesNotContain("leader_election");
    }

    @Test
    void whoStandsByShowsThatAndTheProcess() {
        assertThat(MetricsText.of(status.metrics().join()))
                .contains(
                        "leader_election_master_status{name=\"mooring-controller\"} 0.0",
                        "process_cpu_seconds_total",
                        "process_start_time_seconds");
    }

    @Test
    void aProcessWhoseControllersHaveEndedByThemselvesIsSick() {
        assertThat(Operations.sickness(Optional.empty())).isEmpty();
        assertThat(Operations.sickness(Optional.of(new OutOfMemoryError("Java heap space"))))
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("nothing is decided any more")
                        .contains("Java heap space"));
    }
}
