// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** A call that has the connection made, before the kit begins to count. */
record FirstCall(Instant deadline) implements OperationContext {
    FirstCall() {
        this(Instant.now().plus(Duration.ofMinutes(1)));
    }

    @Override
    public boolean cancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public String idempotencyKey() {
        return "first";
    }

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.empty();
    }

    @Override
    public HostServices host() {
        return HostServices.none();
    }

    @Override
    public Secrets secrets() {
        return Secrets.NONE;
    }

    @Override
    public void report(Notice notice) {}
}
