// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.support;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.testkit.host.PlainCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call with a time limit. */
public record TimedCall(HostServices host, Instant deadline, AtomicBoolean cancel) implements PlainCall {
    public static TimedCall of(HostServices host) {
        return within(host, Duration.ofSeconds(60));
    }

    public static TimedCall within(HostServices host, Duration limit) {
        return new TimedCall(host, Instant.now().plus(limit), new AtomicBoolean());
    }

    @Override
    public boolean cancelled() {
        return cancel.get();
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.of(new NodeRef("node-1", "node-uid-1"));
    }
}
