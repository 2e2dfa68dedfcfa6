// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.control.CallTicket;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The context of one call of a plugin, made from the ticket of the call that the control loop asked for.
 *
 * @param ticket who asks, until when, for which attempt
 * @param node where the call is made; empty for the controllers
 * @param host what the host does for plugins
 * @param secrets what the volume refers to
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TicketContext(CallTicket ticket, Optional<NodeRef> node, HostServices host, Secrets secrets)
        implements OperationContext {
    @Override
    public InstantSource clock() {
        return ticket.clock();
    }

    @Override
    public Instant deadline() {
        return ticket.deadline();
    }

    @Override
    public boolean cancelled() {
        return ticket.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        ticket.onCancel(action);
    }

    @Override
    public int attempt() {
        return ticket.attempt();
    }

    @Override
    public String idempotencyKey() {
        return ticket.idempotencyKey();
    }

    @Override
    public OptionalLong term() {
        return ticket.term();
    }

    @Override
    public void report(Notice notice) {
        ticket.report(notice);
    }
}
