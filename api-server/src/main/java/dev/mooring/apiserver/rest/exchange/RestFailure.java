// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.storage.document.Document;

/** A request that is answered with a Status. */
public final class RestFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final transient Document status;

    RestFailure(int code, Document status) {
        super(status.text("message").orElse(""), null, false, false);
        this.code = code;
        this.status = status;
    }

    public static RestFailure badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    public static RestFailure notFound() {
        return of(404, "NotFound", "the server could not find the requested resource");
    }

    public static RestFailure methodNotAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    public static RestFailure of(int code, String reason, String message) {
        return new RestFailure(code, Statuses.failure(code, reason, message));
    }

    public int code() {
        return code;
    }

    public Document status() {
        return status;
    }
}
