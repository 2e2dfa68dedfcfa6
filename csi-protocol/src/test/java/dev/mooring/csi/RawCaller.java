// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;

/** A client without any limit of ours. */
final class RawCaller implements AutoCloseable {
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;

    RawCaller(CsiEndpoint endpoint) {
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(endpoint.socket()))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .overrideAuthority("driver.example.com")
                .build();
    }

    <Q extends Message, A extends Message> Status.Code statusOf(MethodDescriptor<Q, A> method, Q request) {
        try {
            ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
