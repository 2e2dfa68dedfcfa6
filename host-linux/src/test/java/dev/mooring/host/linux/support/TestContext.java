// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.support;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call with a time limit. */
public record TestContext(HostServices host, Instant deadline, AtomicBoolean cancel) implements OperationContext {
    public static TestContext of(HostServices host) {
        return within(host, Duration.ofSeconds(60));
    }

    public static TestContext within(HostServices host, Duration limit) {
        return new TestContext(host, Instant.now().plus(limit), new AtomicBoolean());
    }

    @Override
    public boolean cancelled() {
        return cancel.get();
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public String idempotencyKey() {
        return "test";
    }

    @Override
    public InstantSource clock() {
        return Clock.systemUTC();
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.of(new NodeRef("node-1", "node-uid-1"));
    }

    @Override
    public Secrets secrets() {
        return Secrets.NONE;
    }

    @Override
    public void report(Notice notice) {}
}
