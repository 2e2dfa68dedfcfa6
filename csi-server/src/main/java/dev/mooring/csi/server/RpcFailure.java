// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.Status;
import java.util.stream.Collectors;

/** An rpc ends with an error. Its message holds no secret and no mount flag. */
final class RpcFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Status.Code code;

    RpcFailure(Status.Code code, String why) {
        super(why.isBlank() ? "no reason was given" : why);
        this.code = code;
    }

    /** What the plugin answers to decides the meaning of some refusals (semantics/csi §18.2). */
    enum Asked {
        /** Make storage, delete, modify or attach it. */
        CONTROLLER,
        /** Make storage larger: there is no space for that size, and for another there may be. */
        EXPAND,
        /** Use storage on this node: what it is not asked for is the node's state, not the name of another volume. */
        NODE
    }

    static RpcFailure invalid(String why) {
        return new RpcFailure(Status.Code.INVALID_ARGUMENT, why);
    }

    static RpcFailure notFound(String why) {
        return new RpcFailure(Status.Code.NOT_FOUND, why);
    }

    static RpcFailure unimplemented(String why) {
        return new RpcFailure(Status.Code.UNIMPLEMENTED, why);
    }

    static RpcFailure unavailable(String why) {
        return new RpcFailure(Status.Code.UNAVAILABLE, why);
    }

    static RpcFailure aborted(String why) {
        return new RpcFailure(Status.Code.ABORTED, why);
    }

    static RpcFailure exists(String why) {
        return new RpcFailure(Status.Code.ALREADY_EXISTS, why);
    }

    static RpcFailure outOfRange(String why) {
        return new RpcFailure(Status.Code.OUT_OF_RANGE, why);
    }

    static RpcFailure precondition(String why) {
        return new RpcFailure(Status.Code.FAILED_PRECONDITION, why);
    }

    /** The value of an outcome. */
    static <T> T orThrow(Outcome<T> outcome, Asked asked) throws RpcFailure {
        if (outcome.result().isPresent()) {
            return outcome.result().get();
        }
        throw new RpcFailure(code(outcome, asked), words(outcome));
    }

    private static Status.Code code(Outcome<?> outcome, Asked asked) {
        return outcome.match(
                done -> Status.Code.OK,
                refused -> code(refused.refusal(), asked),
                uncertain -> Status.Code.ABORTED,
                deferred -> Status.Code.UNAVAILABLE,
                elsewhere -> Status.Code.FAILED_PRECONDITION);
    }

    private static Status.Code code(Refusal refusal, Asked asked) {
        return switch (refusal) {
            case INVALID, UNSUPPORTED -> Status.Code.INVALID_ARGUMENT;
            case NOT_FOUND -> Status.Code.NOT_FOUND;
            case EXHAUSTED -> asked == Asked.EXPAND ? Status.Code.OUT_OF_RANGE : Status.Code.RESOURCE_EXHAUSTED;
            case INCOMPATIBLE -> asked == Asked.NODE ? Status.Code.FAILED_PRECONDITION : Status.Code.ALREADY_EXISTS;
            case DENIED -> Status.Code.PERMISSION_DENIED;
            case IN_USE, CORRUPT -> Status.Code.FAILED_PRECONDITION;
        };
    }

    /** The caller that attaches has to learn which node has the volume. */
    private static String words(Outcome<?> outcome) {
        String holders = outcome.nodes().stream().map(Object::toString).collect(Collectors.joining(", "));
        return holders.isEmpty() ? outcome.message() : outcome.message() + " (published on " + holders + ")";
    }

    Status.Code code() {
        return code;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
