// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus.Origin;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A connection to a driver in this thread: each call has ended when it has been begun. */
final class DirectChannel extends ManagedChannel {
    private final BiFunction<String, Message, Reply> driver;
    private final List<Runnable> losses = new ArrayList<>();

    /**
     * How a call ends.
     *
     * @param answer what the driver answers; empty if the call fails
     * @param status what it fails with
     * @param origin who says so
     */
    record Reply(@Nullable Message answer, Status status, Origin origin) {
        static Reply of(Message answer) {
            return new Reply(answer, Status.OK, Origin.DRIVER);
        }

        static Reply failure(Status.Code code, String words, Origin origin) {
            return new Reply(null, code.toStatus().withDescription(words), origin);
        }
    }

    /**
     * Connects.
     *
     * @param driver answers each call, by the name of its rpc
     */
    DirectChannel(BiFunction<String, Message, Reply> driver) {
        this.driver = driver;
    }

    /** The driver's process has ended. */
    void lose() {
        List<Runnable> told = List.copyOf(losses);
        losses.clear();
        told.forEach(Runnable::run);
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new Call<>(method, options);
    }

    private final class Call<Q, A> extends ClientCall<Q, A> {
        private final MethodDescriptor<Q, A> method;
        private final CallOptions options;
        private @Nullable Listener<A> listener;
        private @Nullable Q request;

        Call(MethodDescriptor<Q, A> method, CallOptions options) {
            this.method = method;
            this.options = options;
        }

        @Override
        public void start(Listener<A> heard, Metadata headers) {
            listener = heard;
        }

        @Override
        public void sendMessage(Q message) {
            request = message;
        }

        /** Comes last. */
        @Override
        @SuppressWarnings("unchecked") // the driver answers each rpc with its own message
        public void request(int messages) {
            String rpc = String.valueOf(method.getBareMethodName());
            Reply reply = driver.apply(rpc, (Message) request);
            if (reply.origin() != Origin.NOT_SENT) {
                trace(reply.origin() == Origin.DRIVER);
            }
            if (reply.answer() != null) {
                listener.onMessage((A) reply.answer());
            }
            listener.onClose(reply.status(), new Metadata());
        }

        private void trace(boolean answered) {
            ClientStreamTracer.StreamInfo info = ClientStreamTracer.StreamInfo.newBuilder()
                    .setCallOptions(options)
                    .build();
            options.getStreamTracerFactories().forEach(factory -> {
                ClientStreamTracer tracer = factory.newClientStreamTracer(info, new Metadata());
                tracer.outboundHeaders();
                if (answered) {
                    tracer.inboundTrailers(new Metadata());
                }
            });
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            // it has ended
        }

        @Override
        public void halfClose() {
            // one message is all there is
        }
    }

    @Override
    public ConnectivityState getState(boolean requestConnection) {
        return ConnectivityState.READY;
    }

    @Override
    public void notifyWhenStateChanged(ConnectivityState source, Runnable callback) {
        losses.add(callback);
    }

    @Override
    public String authority() {
        return "localhost";
    }

    @Override
    public ManagedChannel shutdown() {
        return this;
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public ManagedChannel shutdownNow() {
        return this;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
