// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A call to a driver that registers.
 *
 * @param here this node
 * @param host what this machine does
 * @param clock the time
 * @param deadline when the call ends
 */
public record RegistrationContext(NodeRef here, HostServices host, InstantSource clock, Instant deadline)
        implements UnwatchedContext {
    /** A call that begins now. */
    public static RegistrationContext within(NodeRef here, HostServices host, InstantSource clock, Duration limit) {
        return new RegistrationContext(here, host, clock, clock.instant().plus(limit));
    }

    @Override
    public String idempotencyKey() {
        return "registration on " + here;
    }
}
