// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;

/** What a plugin is given that is asked what is mounted at a path. */
record AdoptionContext(
        NodeRef here, HostServices host, InstantSource clock, Secrets secrets, Instant deadline, String idempotencyKey)
        implements UnwatchedContext {
    static AdoptionContext of(NodeRef here, HostServices host, InstantSource clock, Secrets secrets, String what) {
        return new AdoptionContext(
                here, host, clock, secrets, clock.instant().plus(Defaults.MOUNT_TIME_LIMIT), "adopt " + what);
    }
}
