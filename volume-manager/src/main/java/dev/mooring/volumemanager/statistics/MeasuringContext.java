// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.statistics;

import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;

/** The context of a measurement, which changes nothing and belongs to no record. Its caller goes on without it after the deadline. */
record MeasuringContext(NodeRef here, HostServices host, InstantSource clock, Instant deadline)
        implements UnwatchedContext {
    @Override
    public boolean cancelled() {
        return !clock.instant().isBefore(deadline);
    }

    @Override
    public String idempotencyKey() {
        return "statistics";
    }
}
