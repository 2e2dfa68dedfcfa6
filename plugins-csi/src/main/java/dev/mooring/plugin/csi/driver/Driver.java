// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiCallException;
import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.DriverCall;
import dev.mooring.csi.DriverChannel;
import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.ProbeResponse;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One driver behind one connection. What it is and what it can do is asked once for each connection, in the order in which side-cars ask
 * (semantics/csi §7.1), and again after the connection was lost, though no call ran then: another version may have come up behind the socket. Thread-safe.
 */
public final class Driver implements AutoCloseable {
    private final String name;
    private final DriverChannel channel;
    private final DriverCallMetrics metrics;
    private final Optional<Duration> limit;
    private final AtomicReference<Optional<Set<PluginCapability.Service.Type>>> services =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<Set<ControllerServiceCapability.RPC.Type>>> controller =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<Set<NodeServiceCapability.RPC.Type>>> node =
            new AtomicReference<>(Optional.empty());
    private volatile Runnable full = () -> {};

    /**
     * A driver.
     *
     * @param name the name that it has to answer to
     * @param channel the connection to its socket, which mends itself; closed with the driver
     * @param metrics are told of each call
     */
    public Driver(String name, DriverChannel channel, DriverCallMetrics metrics) {
        this(name, channel, metrics, Optional.empty());
    }

    /**
     * The same with a limit.
     *
     * @param limit how long a call may take, whatever time its context has; empty for as long as that
     */
    public Driver(String name, DriverChannel channel, DriverCallMetrics metrics, Optional<Duration> limit) {
        this.name = name;
        this.limit = limit;
        this.channel = channel;
        this.metrics = metrics;
        channel.onDisconnect(this::forget);
    }

    /** Whenever the driver has no room on the node for a volume, something is run by the caller's thread; it returns quickly. */
    public void onFull(Runnable heard) {
        full = heard;
    }

    /** Where the driver listens. */
    public CsiEndpoint endpoint() {
        return channel.endpoint();
    }

    /** The driver's name. */
    public String name() {
        return name;
    }

    /** What the driver as a whole offers; deferred while it is not ready. */
    public Outcome<Set<PluginCapability.Service.Type>> services(OperationContext context) {
        return remembered(
                services,
                () -> ready(context)
                        .then(ready -> named(context))
                        .then(named -> call(
                                context,
                                CallKind.LOOK,
                                IdentityGrpc.getGetPluginCapabilitiesMethod(),
                                GetPluginCapabilitiesRequest.getDefaultInstance()))
                        .map(answer -> {
                            Set<PluginCapability.Service.Type> all =
                                    EnumSet.noneOf(PluginCapability.Service.Type.class);
                            answer.getCapabilitiesList()
                                    .forEach(one -> all.add(one.getService().getType()));
                            return all;
                        }));
    }

    /** Whether the driver answers on its socket, ready or not. */
    public boolean answers(OperationContext context) {
        return call(context, CallKind.LOOK, IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())
                .isDone();
    }

    private Outcome<ProbeResponse> ready(OperationContext context) {
        return call(context, CallKind.LOOK, IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())
                .then(answer -> answer.hasReady() && !answer.getReady().getValue()
                        ? Outcome.deferred("driver " + name + " is not ready yet")
                        : Outcome.done(answer));
    }

    private Outcome<GetPluginInfoResponse> named(OperationContext context) {
        return call(
                        context,
                        CallKind.LOOK,
                        IdentityGrpc.getGetPluginInfoMethod(),
                        GetPluginInfoRequest.getDefaultInstance())
                .then(answer -> answer.getName().equals(name)
                        ? Outcome.done(answer)
                        : Outcome.refused(
                                Refusal.INCOMPATIBLE,
                                "the driver behind the socket of " + name + " calls itself '" + answer.getName()
                                        + "'; give each driver a socket of its own"));
    }

    /** What the driver's controller service can do; nothing if it has none. */
    public Outcome<Set<ControllerServiceCapability.RPC.Type>> controllerAbilities(OperationContext context) {
        return remembered(
                controller,
                () -> services(context)
                        .then(offered -> offered.contains(PluginCapability.Service.Type.CONTROLLER_SERVICE)
                                ? askController(context)
                                : Outcome.done(EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class))));
    }

    private Outcome<Set<ControllerServiceCapability.RPC.Type>> askController(OperationContext context) {
        return call(
                        context,
                        CallKind.LOOK,
                        ControllerGrpc.getControllerGetCapabilitiesMethod(),
                        ControllerGetCapabilitiesRequest.getDefaultInstance())
                .map(answer -> {
                    Set<ControllerServiceCapability.RPC.Type> all =
                            EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class);
                    answer.getCapabilitiesList()
                            .forEach(one -> all.add(one.getRpc().getType()));
                    return all;
                });
    }

    /** What the driver's node service can do. */
    public Outcome<Set<NodeServiceCapability.RPC.Type>> nodeAbilities(OperationContext context) {
        return remembered(
                node,
                () -> services(context)
                        .then(offered -> call(
                                context,
                                CallKind.LOOK,
                                NodeGrpc.getNodeGetCapabilitiesMethod(),
                                NodeGetCapabilitiesRequest.getDefaultInstance()))
                        .map(answer -> {
                            Set<NodeServiceCapability.RPC.Type> all =
                                    EnumSet.noneOf(NodeServiceCapability.RPC.Type.class);
                            answer.getCapabilitiesList()
                                    .forEach(one -> all.add(one.getRpc().getType()));
                            return all;
                        }));
    }

    private static <T> Outcome<T> remembered(AtomicReference<Optional<T>> place, Supplier<Outcome<T>> ask) {
        Optional<T> known = place.get();
        if (known.isPresent()) {
            return Outcome.done(known.get());
        }
        Outcome<T> answer = ask.get();
        answer.result().ifPresent(value -> place.set(Optional.of(value)));
        return answer;
    }

    /**
     * Calls the driver and waits for its answer, at most until the context's deadline. A cancelled context ends the wait; whether the call
     * had its effect is unknown then.
     *
     * @param kind decides what a failure means
     * @return what the driver answered; a failure's text has no value of the request's secrets
     */
    public <Q extends Message, A extends Message> Outcome<A> call(
            OperationContext context, CallKind kind, MethodDescriptor<Q, A> method, Q request) {
        return call(context, kind, method, request, Function.identity());
    }

    /**
     * The same with words that must not stand in a failure's text.
     *
     * @param hiding takes such words out of a text
     */
    public <Q extends Message, A extends Message> Outcome<A> call(
            OperationContext context,
            CallKind kind,
            MethodDescriptor<Q, A> method,
            Q request,
            Function<String, String> hiding) {
        Instant begun = context.clock().instant();
        Duration left = Duration.between(begun, context.deadline());
        if (left.isNegative() || left.isZero()) {
            return Outcome.deferred("no time is left to call driver " + name);
        }
        Duration given = limit.filter(most -> most.compareTo(left) < 0).orElse(left);
        DriverCall<A> call = channel.start(method, request, given);
        context.onCancel(() -> call.cancel("the caller no longer waits"));
        try {
            A answer = call.await();
            count(context, method, Status.Code.OK, begun);
            return Outcome.done(answer);
        } catch (CsiCallException failed) {
            CsiStatus status = failed.status();
            count(context, method, status.code(), begun);
            if (status.origin() != CsiStatus.Origin.DRIVER) {
                forget();
            } else if (kind == CallKind.SHOW && status.code() == Status.Code.RESOURCE_EXHAUSTED) {
                full.run();
            }
            return DriverFailures.failure(kind, status, hiding.apply(status.message()));
        }
    }

    private void count(OperationContext context, MethodDescriptor<?, ?> method, Status.Code code, Instant begun) {
        metrics.observe(
                name,
                "/" + method.getFullMethodName(),
                DriverFailures.name(code),
                Duration.between(begun, context.clock().instant()));
    }

    private void forget() {
        services.set(Optional.empty());
        controller.set(Optional.empty());
        node.set(Optional.empty());
    }

    @Override
    public void close() {
        channel.close();
    }
}
