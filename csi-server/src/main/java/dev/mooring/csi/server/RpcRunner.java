// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import com.google.protobuf.Message;
import dev.mooring.csi.MessageText;
import dev.mooring.csi.SecretWords;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs rpcs: one at a time for a volume, with an answer in any case. What reaches the log or the caller holds neither the secrets nor the
 * mount flags of the request. Thread-safe.
 */
final class RpcRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RpcRunner.class);
    private static final int MAX_MESSAGE_BYTES = 1024;

    private final DriverTraits traits;
    private final VolumeRecords records;
    private final HostServices host;
    private final InstantSource clock;
    private final CallsUnderWay working = new CallsUnderWay();
    private final CallSlots slots = new CallSlots();

    RpcRunner(DriverTraits traits, VolumeRecords records, HostServices host, InstantSource clock) {
        this.traits = traits;
        this.records = records;
        this.host = host;
        this.clock = clock;
    }

    /**
     * The work of an rpc.
     *
     * @param <A> its answer
     */
    interface Work<A> {
        A run() throws RpcFailure;
    }

    /** Answers what is known without the plugin and without a record. Never waits. */
    <A extends Message> void tell(String rpc, Message request, StreamObserver<A> observer, A answer) {
        LOG.debug("{} {}", rpc, MessageText.of(request));
        observer.onNext(answer);
        observer.onCompleted();
    }

    /** Runs an rpc that changes nothing. */
    <A extends Message> void read(String rpc, Message request, StreamObserver<A> observer, Work<A> work) {
        read(rpc, request, observer, List.of(), work);
    }

    /**
     * Runs an rpc that changes nothing.
     *
     * @param hidden what the request holds that no message shows
     */
    <A extends Message> void read(
            String rpc, Message request, StreamObserver<A> observer, Collection<String> hidden, Work<A> work) {
        answer(rpc, request, observer, Status.Code.INTERNAL, hidden, work);
    }

    /**
     * Runs an rpc that changes something.
     *
     * @param hidden what the request holds that no message shows
     */
    <A extends Message> void change(
            String rpc, Message request, StreamObserver<A> observer, Collection<String> hidden, Work<A> work) {
        // Not INTERNAL: callers take that for an end, and it is not known what was done.
        answer(rpc, request, observer, Status.Code.ABORTED, hidden, work);
    }

    /** Runs something while no other rpc works on the volume or snapshot of this key. */
    <A> A alone(String what, Work<A> work) throws RpcFailure {
        return during(what, working.enterAlone(what), work);
    }

    /** Runs something that reads what a volume or a snapshot holds, beside others that do the same. */
    <A> A reading(String what, Work<A> work) throws RpcFailure {
        String content = content(what);
        return during(content, working.enterBeside(content), work);
    }

    /** Runs something that destroys what a volume or a snapshot holds. */
    <A> A destroying(String what, Work<A> work) throws RpcFailure {
        return alone(what, () -> alone(content(what), work));
    }

    private static String content(String what) {
        return "content of " + what;
    }

    private <A> A during(String what, boolean entered, Work<A> work) throws RpcFailure {
        if (!entered) {
            throw new RpcFailure(Status.Code.ABORTED, "an operation on " + what + " is under way");
        }
        try {
            return work.run();
        } finally {
            working.leave(what);
        }
    }

    /** The time. */
    Instant now() {
        return clock.instant();
    }

    /** The context for a plugin's call that is about no volume. */
    RpcContext context(String effect, Map<String, String> secrets) {
        return context(effect, secrets, Optional.empty(), List.of());
    }

    /**
     * The context for a plugin's call.
     *
     * @param effect what is done to which volume
     */
    RpcContext context(String effect, Map<String, String> secrets, VolumeRecord volume) {
        return context(effect, secrets, Optional.of(new CallMemory(records, volume, Optional.empty())), List.of());
    }

    /** The same at a path of the request. */
    RpcContext context(String effect, Map<String, String> secrets, VolumeRecord volume, Path given) {
        return context(effect, secrets, Optional.of(new CallMemory(records, volume, Optional.empty())), List.of(given));
    }

    /** The same for a call that has a use of the volume in the record, whose state it may replace. */
    RpcContext recordedContext(String effect, Map<String, String> secrets, VolumeRecord volume, Path given) {
        return context(
                effect, secrets, Optional.of(new CallMemory(records, volume, Optional.of(given))), List.of(given));
    }

    private RpcContext context(
            String effect, Map<String, String> secrets, Optional<CallMemory> memory, List<Path> given) {
        List<Path> places = new ArrayList<>(given);
        places.addAll(traits.plugin().keptDirectories());
        HostServices own = host.forPlugin(traits.plugin().describe().name(), places);
        return RpcContext.of(effect, clock, traits.here(), own, memory, secrets);
    }

    private <A extends Message> void answer(
            String rpc,
            Message request,
            StreamObserver<A> observer,
            Status.Code ifThrown,
            Collection<String> hidden,
            Work<A> work) {
        A answer;
        try {
            LOG.debug("{} {}", rpc, MessageText.of(request));
            answer = inSlot(work);
        } catch (RpcFailure e) {
            fail(rpc, observer, e.code(), stripped(e.why(), hidden));
            return;
        } catch (RuntimeException e) {
            // The plugin's exception may quote the request, so that only its type is shown.
            LOG.warn("{}: the plugin failed with {}", rpc, e.getClass().getName());
            fail(
                    rpc,
                    observer,
                    ifThrown,
                    "the plugin failed with " + e.getClass().getSimpleName() + ", see the log");
            return;
        }
        observer.onNext(answer);
        observer.onCompleted();
    }

    private <A> A inSlot(Work<A> work) throws RpcFailure {
        slots.enter();
        try {
            if (Context.current().isCancelled()) {
                throw new RpcFailure(Status.Code.CANCELLED, "the caller has gone, and the call was not begun");
            }
            return work.run();
        } finally {
            slots.leave();
        }
    }

    private static void fail(String rpc, StreamObserver<?> observer, Status.Code code, String why) {
        LOG.info("{}: {}: {}", rpc, code, why);
        observer.onError(code.toStatus().withDescription(why).asRuntimeException());
    }

    private static String stripped(String text, Collection<String> hidden) {
        String shown = SecretWords.of(hidden).hide(text);
        while (shown.getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE_BYTES) {
            shown = shown.substring(0, shown.offsetByCodePoints(shown.length(), -1));
        }
        return shown;
    }
}
