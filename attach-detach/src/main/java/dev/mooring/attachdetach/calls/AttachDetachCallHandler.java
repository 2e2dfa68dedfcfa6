// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.TicketContext;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Carries out the calls of attaching and detaching by the plugins of this process.
 *
 * @param plugins the plugins
 * @param clock the time that plugins see
 * @param host what the host does for plugins
 * @param secrets what volumes refer to
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AttachDetachCallHandler(PluginRegistry plugins, InstantSource clock, HostServices host, Secrets secrets)
        implements CallHandler {
    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        OperationContext context = new TicketContext(ticket, clock, Optional.empty(), host, secrets);
        if (call instanceof AttachCall attach) {
            return with(call.plugin(), Attaching.class, plugin -> plugin.attach(context, attach.spec(), attach.to()));
        } else if (call instanceof DetachCall detach) {
            return with(call.plugin(), Attaching.class, plugin -> plugin.detach(context, detach.id(), detach.from()));
        } else if (call instanceof FenceCall fence) {
            return with(call.plugin(), Fencing.class, plugin -> plugin.fence(context, fence.id(), fence.lost()));
        }
        return Outcome.refused(Refusal.UNSUPPORTED, "attaching and detaching have no call " + call.operation());
    }

    private <C extends Capability> Outcome<?> with(PluginName name, Class<C> type, Function<C, Outcome<?>> action) {
        return plugins.capability(name, type)
                .<Outcome<?>>map(action)
                .orElseGet(() -> Outcome.refused(
                        Refusal.UNSUPPORTED,
                        name + " cannot do " + type.getSimpleName().toLowerCase(Locale.ROOT)));
    }
}
