// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * The one connection to a driver. It is made by the first call and kept. After it is lost, or while no process listens, the next call
 * connects again: there is no back-off between calls, so a driver that came back is found at once. Calls are never repeated here.
 * Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DriverChannel implements AutoCloseable {
    private static final long NEVER_IDLE_DAYS = 365;
    private static final int MAX_HEADER_BYTES = 64 * 1024;

    private final CsiEndpoint endpoint;
    private final ManagedChannel channel;

    private DriverChannel(CsiEndpoint endpoint, ManagedChannel channel) {
        this.endpoint = endpoint;
        this.channel = channel;
    }

    /**
     * A connection that others have made, such as one to a driver in this process.
     *
     * @param endpoint where people are told that the driver listens
     * @param channel is shut down when this is closed
     */
    public static DriverChannel over(CsiEndpoint endpoint, ManagedChannel channel) {
        return new DriverChannel(endpoint, channel);
    }

    static DriverChannel to(CsiEndpoint endpoint, EventLoopGroup loops) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(endpoint.socket()))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loops)
                .usePlaintext()
                .overrideAuthority("localhost")
                .userAgent("mooring")
                .maxInboundMessageSize(CsiTransport.MAX_MESSAGE_BYTES)
                .maxInboundMetadataSize(MAX_HEADER_BYTES)
                .idleTimeout(NEVER_IDLE_DAYS, TimeUnit.DAYS)
                .disableRetry()
                // Ours do nothing but to hand over a result.
                .directExecutor()
                .build();
        return new DriverChannel(endpoint, channel);
    }

    /** Where the driver listens. */
    public CsiEndpoint endpoint() {
        return endpoint;
    }

    /** Whether there is a connection now. It may be lost before the next call. */
    public boolean connected() {
        return channel.getState(false) == ConnectivityState.READY;
    }

    /**
     * Registers what is done whenever the connection is lost, also while no call runs.
     *
     * @param action run by any thread; returns quickly
     */
    public void onDisconnect(Runnable action) {
        ConnectivityState before = channel.getState(false);
        channel.notifyWhenStateChanged(before, () -> {
            if (before == ConnectivityState.READY) {
                action.run();
            }
            if (!channel.isShutdown()) {
                onDisconnect(action);
            }
        });
    }

    /**
     * Begins a call and returns at once.
     *
     * @param method a unary method, from a generated class such as {@code IdentityGrpc}
     * @param request what is sent; if it is larger than {@link CsiTransport#MAX_MESSAGE_BYTES}, the call fails and is not sent
     * @param timeout how long it may take, the connecting included; the driver is told
     */
    public <Q extends Message, A extends Message> DriverCall<A> start(
            MethodDescriptor<Q, A> method, Q request, Duration timeout) {
        // The channel would otherwise answer with its last failure, until a back-off of up to two minutes is over.
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.enterIdle();
        }
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return DriverCall.start(channel, endpoint, method, request, options);
    }

    /**
     * Calls and waits for the answer. If the thread is interrupted, the call is cancelled and the thread stays interrupted.
     *
     * @param method a unary method, from a generated class such as {@code IdentityGrpc}
     * @param request what is sent
     * @param timeout how long it may take, the connecting included; the driver is told
     * @throws CsiCallException if the driver answered with an error, or no answer came
     */
    public <Q extends Message, A extends Message> A call(MethodDescriptor<Q, A> method, Q request, Duration timeout)
            throws CsiCallException {
        return start(method, request, timeout).await();
    }

    /** Closes the connection. Calls that run end as cancelled. */
    @Override
    public void close() {
        channel.shutdownNow();
    }
}
