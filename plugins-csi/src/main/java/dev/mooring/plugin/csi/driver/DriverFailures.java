// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.csi.CsiStatus;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import io.grpc.Status;
import java.util.List;
import java.util.Locale;

/**
 * What a failed call means for its caller: the last column of semantics/csi §14. A failure that may hide an effect is uncertain, so that the
 * call is repeated or undone. So are the codes of which CSI says nothing: UNKNOWN, INTERNAL, DATA_LOSS. Pure.
 */
final class DriverFailures {
    private DriverFailures() {}

    /**
     * Judges a failure.
     *
     * @param words the status' message without secrets
     */
    static <T> Outcome<T> failure(CallKind kind, CsiStatus status, String words) {
        // as Kubernetes' own components write it, so that people find it
        String why = "rpc error: code = " + name(status.code()) + " desc = " + words;
        return switch (status.origin()) {
            case NOT_SENT ->
                status.code() == Status.Code.INVALID_ARGUMENT
                        ? Outcome.refused(Refusal.INVALID, why)
                        : Outcome.deferred(why);
            case UNANSWERED -> unknown(kind, why);
            case DRIVER -> answered(kind, status.code(), why);
        };
    }

    private static <T> Outcome<T> unknown(CallKind kind, String why) {
        return kind.isChanging() ? Outcome.uncertain(why) : Outcome.deferred(why);
    }

    private static <T> Outcome<T> answered(CallKind kind, Status.Code code, String why) {
        return switch (code) {
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                unknown(kind, why);
            case RESOURCE_EXHAUSTED ->
                kind == CallKind.CREATE || kind == CallKind.ATTACH
                        ? Outcome.refused(Refusal.EXHAUSTED, why)
                        : unknown(kind, why);
            case INVALID_ARGUMENT -> Outcome.refused(Refusal.INVALID, why);
            case NOT_FOUND -> Outcome.refused(Refusal.NOT_FOUND, why);
            case OUT_OF_RANGE -> Outcome.refused(kind == CallKind.EXPAND ? Refusal.EXHAUSTED : Refusal.INVALID, why);
            case ALREADY_EXISTS -> Outcome.refused(Refusal.INCOMPATIBLE, why);
            case PERMISSION_DENIED, UNAUTHENTICATED -> Outcome.refused(Refusal.DENIED, why);
            case FAILED_PRECONDITION -> precondition(kind, why);
            case UNIMPLEMENTED -> Outcome.refused(Refusal.UNSUPPORTED, why);
        };
    }

    private static <T> Outcome<T> precondition(CallKind kind, String why) {
        return switch (kind) {
            case ATTACH -> Outcome.inUseElsewhere(List.of(), why);
            case DELETE, EXPAND, EXPAND_ON_NODE, DETACH, HIDE -> Outcome.refused(Refusal.IN_USE, why);
            case LOOK -> Outcome.deferred(why);
            case CREATE, MODIFY, SHOW -> Outcome.refused(Refusal.INCOMPATIBLE, why);
        };
    }

    /** A code as Kubernetes' components write it. */
    static String name(Status.Code code) {
        return switch (code) {
            case OK -> "OK";
            case CANCELLED -> "Canceled";
            default -> camelCase(code);
        };
    }

    private static String camelCase(Status.Code code) {
        StringBuilder name = new StringBuilder();
        for (String word : code.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
