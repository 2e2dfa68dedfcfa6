// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import org.apiguardian.api.API;

/**
 * One broken rule, printed as the API server prints it: {@code spec.capacity[storage]: Invalid value: "0": must be greater than zero}.
 *
 * @param path the field, such as {@code spec.accessModes[0]}; never null
 * @param problem what sort of problem; never null
 * @param value the offending value as printed, quotation marks included; empty if no value is shown; never null
 * @param detail the rule; may be empty; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FieldError(String path, Problem problem, String value, String detail) {
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(path).append(": ").append(problem.words());
        if (!value.isEmpty()) {
            text.append(": ").append(value);
        }
        if (!detail.isEmpty()) {
            text.append(": ").append(detail);
        }
        return text.toString();
    }

    /** Sorts of problems. */
    public enum Problem {
        /** Must be given. */
        REQUIRED("Required value"),
        /** Is malformed, out of bounds, or may not be changed. */
        INVALID("Invalid value"),
        /** None of the known values. */
        NOT_SUPPORTED("Unsupported value"),
        /** May not be given, or not be done. */
        FORBIDDEN("Forbidden"),
        /** Stands there twice. */
        DUPLICATE("Duplicate value"),
        /** Refers to something that is not there. */
        NOT_FOUND("Not found"),
        /** Longer than allowed. */
        TOO_LONG("Too long");

        private final String words;

        Problem(String words) {
            this.words = words;
        }

        /** The API server's words. */
        public String words() {
            return words;
        }
    }
}
