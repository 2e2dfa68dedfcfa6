// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.statistics;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The context of a measurement, which changes nothing and belongs to no record. */
record MeasuringContext(NodeRef here, HostServices host, InstantSource clock, Instant deadline)
        implements OperationContext {
    @Override
    public boolean cancelled() {
        return !clock.instant().isBefore(deadline);
    }

    @Override
    public void onCancel(Runnable action) {
        // nobody cancels a measurement: whoever asked goes on without it
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public String idempotencyKey() {
        return "statistics";
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.of(here);
    }

    @Override
    public Secrets secrets() {
        return Secrets.NONE;
    }

    @Override
    public void progress(String message) {
        // a measurement is too short to tell of
    }
}
