// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import dev.mooring.attachdetach.calls.CompareCall.Compared;
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
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostServices;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Carries out the calls of attaching and detaching by the plugins of this process.
 *
 * @param plugins the plugins
 * @param host what the host does for plugins
 * @param secrets what volumes refer to
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AttachDetachCallHandler(PluginRegistry plugins, HostServices host, Secrets secrets)
        implements CallHandler {
    /** Whether a call is one of attaching and detaching. */
    public static boolean handles(Call call) {
        return call instanceof AttachCall
                || call instanceof DetachCall
                || call instanceof CompareCall
                || call instanceof FenceCall
                || call instanceof UnfenceCall;
    }

    /** The plugin says what a back-end that does not answer may hold up; each of its back-ends has a pool of its own here. */
    @Override
    public String bulkhead(Call call) {
        return volumeOf(call)
                .flatMap(id -> plugins.named(id.plugin()).map(plugin -> plugin.bulkhead(id)))
                .orElseGet(call::bulkhead);
    }

    @Override
    public Optional<String> nodeShare(Call call) {
        return Optional.of(call.node()).filter(node -> !node.isEmpty());
    }

    private Optional<VolumeId> volumeOf(Call call) {
        if (call instanceof AttachCall attach) {
            return plugins.named(attach.plugin())
                    .map(plugin -> plugin.identify(attach.spec().source()));
        } else if (call instanceof CompareCall compare) {
            return plugins.named(compare.plugin())
                    .map(plugin -> plugin.identify(compare.spec().source()));
        } else if (call instanceof DetachCall detach) {
            return Optional.of(detach.id());
        } else if (call instanceof FenceCall fence) {
            return Optional.of(fence.id());
        }
        return call instanceof UnfenceCall unfence ? Optional.of(unfence.id()) : Optional.empty();
    }

    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        HostServices services = plugins.hostFor(call.plugin(), host, List.of());
        OperationContext context = new TicketContext(ticket, Optional.empty(), services, secrets);
        if (call instanceof AttachCall attach) {
            return with(
                    call.plugin(),
                    Attaching.class,
                    plugin -> whole(call.plugin(), plugin.attach(context, attach.spec(), attach.to())));
        } else if (call instanceof CompareCall compare) {
            return compare(compare, context);
        } else if (call instanceof DetachCall detach) {
            return with(call.plugin(), Attaching.class, plugin -> plugin.detach(context, detach.id(), detach.from()));
        } else if (call instanceof FenceCall fence) {
            return with(call.plugin(), Fencing.class, plugin -> plugin.fence(context, fence.id(), fence.lost()));
        } else if (call instanceof UnfenceCall unfence) {
            return with(call.plugin(), Fencing.class, plugin -> plugin.unfence(context, unfence.id(), unfence.back()));
        }
        return Outcome.refused(Refusal.UNSUPPORTED, "attaching and detaching have no call " + call.operation());
    }

    /** What is not surely detached stays as it is; what is, is attached again at once, so that nothing comes between. */
    private Outcome<?> compare(CompareCall compare, OperationContext context) {
        Optional<VolumeId> id = volumeOf(compare);
        return with(compare.plugin(), Attaching.class, plugin -> {
            boolean detached = id.flatMap(
                            known -> Optional.ofNullable(plugin.observe(context, compare.at(), Set.of(known)))
                                    .map(seen -> seen.get(known)))
                    .filter(Attaching.State.DETACHED::equals)
                    .isPresent();
            return detached
                    ? whole(compare.plugin(), plugin.attach(context, compare.spec(), compare.at()))
                            .map(answer -> new Compared(true, texts(answer)))
                    : Outcome.done(Compared.ALIKE);
        });
    }

    private static Map<String, String> texts(Object answer) {
        Map<String, String> all = new TreeMap<>();
        if (answer instanceof Map<?, ?> told) {
            told.forEach((key, value) -> all.put(String.valueOf(key), String.valueOf(value)));
        }
        return all;
    }

    /** A node would take the word null for a device. */
    private static Outcome<?> whole(PluginName name, Outcome<Map<String, String>> answer) {
        Optional<Map.Entry<String, String>> without = Optional.ofNullable(answer)
                .flatMap(Outcome::result)
                .flatMap(told -> told.entrySet().stream()
                        .filter(entry -> entry.getKey() == null || entry.getValue() == null)
                        .findFirst());
        return without.<Outcome<?>>map(
                        entry -> Outcome.uncertain("plugin " + name + " answered with null for " + entry.getKey()))
                .orElse(answer);
    }

    private <C extends Capability> Outcome<?> with(PluginName name, Class<C> type, Function<C, Outcome<?>> action) {
        Optional<C> capability = plugins.capability(name, type);
        // Not by map: an answer that is null would be taken for a plugin that cannot do it, and has done nothing.
        return capability.isPresent()
                ? action.apply(capability.get())
                : Outcome.refused(
                        Refusal.UNSUPPORTED,
                        name + " cannot do " + type.getSimpleName().toLowerCase(Locale.ROOT));
    }
}
