// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiStatus.Origin;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A call to a driver that was begun. Thread-safe.
 *
 * @param <A> the type of the answer
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DriverCall<A extends Message> {
    private static final String TWICE = "the driver answered twice";

    private final CountDownLatch done = new CountDownLatch(1);
    private final CsiEndpoint endpoint;
    private final ClientCall<?, A> call;
    private final Trace trace;

    private volatile @Nullable A answer;
    private volatile @Nullable CsiStatus failure;

    private DriverCall(CsiEndpoint endpoint, ClientCall<?, A> call, Trace trace) {
        this.endpoint = endpoint;
        this.call = call;
        this.trace = trace;
    }

    static <Q extends Message, A extends Message> DriverCall<A> start(
            Channel channel, CsiEndpoint endpoint, MethodDescriptor<Q, A> method, Q request, CallOptions options) {
        Trace trace = new Trace();
        ClientCall<Q, A> call = channel.newCall(method, options.withStreamTracerFactory(trace));
        DriverCall<A> started = new DriverCall<>(endpoint, call, trace);
        int bytes = request.getSerializedSize();
        if (bytes > CsiTransport.MAX_MESSAGE_BYTES) {
            String why = method.getBareMethodName() + ": the request has " + bytes + " bytes, and the limit is "
                    + CsiTransport.MAX_MESSAGE_BYTES;
            started.end(new CsiStatus(Status.Code.INVALID_ARGUMENT, why, Origin.NOT_SENT));
            return started;
        }
        call.start(started.new Listener(), new Metadata());
        call.sendMessage(request);
        call.halfClose();
        // One more than is expected shows that there is not one more.
        call.request(2);
        return started;
    }

    /**
     * Waits for the end. If the thread is interrupted, the call is cancelled and the thread stays interrupted.
     *
     * @return the answer
     * @throws CsiCallException if the driver answered with an error, or no answer came
     */
    public A await() throws CsiCallException {
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancel("the waiting thread was interrupted");
            throw new CsiCallException(failure(Status.CANCELLED.withDescription("the waiting thread was interrupted")));
        }
        A got = answer;
        if (got != null) {
            return got;
        }
        CsiStatus why = failure;
        throw new CsiCallException(
                why == null ? new CsiStatus(Status.Code.INTERNAL, "no answer", Origin.UNANSWERED) : why);
    }

    /**
     * Tells the driver that the caller no longer waits, and ends the call. That undoes nothing: the driver may go on (specification,
     * "Timeouts").
     *
     * @param why becomes the message of the status
     */
    public void cancel(String why) {
        call.cancel(why, null);
    }

    private void end(CsiStatus status) {
        failure = status;
        done.countDown();
    }

    /** The status of a failure: the driver's only if what ended the call is what the driver sent. */
    private CsiStatus failure(Status status) {
        String words = Optional.ofNullable(status.getDescription()).orElse("");
        if (trace.answered) {
            return new CsiStatus(status.getCode(), words, Origin.DRIVER);
        }
        if (trace.sent) {
            return new CsiStatus(status.getCode(), words, Origin.UNANSWERED);
        }
        Throwable cause = status.getCause();
        String reason = cause == null || cause.getMessage() == null ? words : words + " (" + cause.getMessage() + ")";
        return new CsiStatus(status.getCode(), endpoint + " cannot be called: " + reason, Origin.NOT_SENT);
    }

    private final class Listener extends ClientCall.Listener<A> {
        private @Nullable A message;
        private boolean twice;

        @Override
        public void onMessage(A received) {
            if (message != null) {
                twice = true;
                cancel(TWICE);
                return;
            }
            message = received;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (twice) {
                // The end of the answer may be here before the call is cancelled, and it would say that all is well.
                end(new CsiStatus(Status.Code.INTERNAL, TWICE, Origin.UNANSWERED));
                return;
            }
            if (!status.isOk()) {
                end(failure(status));
                return;
            }
            if (message == null) {
                end(new CsiStatus(Status.Code.INTERNAL, "the driver answered OK without a message", Origin.UNANSWERED));
                return;
            }
            answer = message;
            done.countDown();
        }
    }

    /** Sees what went over the wire: gRPC's status alone does not say whether the driver made it. */
    private static final class Trace extends ClientStreamTracer.Factory {
        private volatile boolean sent;
        private volatile boolean answered;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundHeaders() {
                    sent = true;
                }

                @Override
                public void inboundTrailers(Metadata trailers) {
                    answered = true;
                }
            };
        }
    }
}
