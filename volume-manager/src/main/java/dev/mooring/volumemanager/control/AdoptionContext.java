// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Defaults;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** What a plugin is given that is asked what is mounted at a path. Nobody ends the call early. */
record AdoptionContext(
        NodeRef here, HostServices host, InstantSource clock, Secrets secrets, Instant deadline, String idempotencyKey)
        implements OperationContext {
    static AdoptionContext of(NodeRef here, HostServices host, InstantSource clock, Secrets secrets, String what) {
        return new AdoptionContext(
                here, host, clock, secrets, clock.instant().plus(Defaults.MOUNT_TIME_LIMIT), "adopt " + what);
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
    public Optional<NodeRef> node() {
        return Optional.of(here);
    }

    @Override
    public void progress(String message) {}
}
