// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** Adds to a failure what waits in the cluster. */
final class ExplainedFailure {
    private ExplainedFailure() {}

    /**
     * The failure with an explanation: an assertion has it in its message, and what an IDE compares stays. To an exception of another type,
     * on which others may rely, it is added as a suppressed one.
     *
     * @param waiting empty if nothing waits
     */
    static Throwable of(Throwable failure, String waiting) {
        if (waiting.isEmpty()) {
            return failure;
        }
        String text = "What waits in the cluster:\n" + waiting;
        if (failure.getClass() == AssertionFailedError.class) {
            AssertionFailedError assertion = (AssertionFailedError) failure;
            String message = withText(assertion.getMessage(), text);
            return at(
                    assertion,
                    assertion.isExpectedDefined() && assertion.isActualDefined()
                            ? new AssertionFailedError(
                                    message, assertion.getExpected(), assertion.getActual(), assertion)
                            : new AssertionFailedError(message, assertion));
        } else if (failure instanceof AssertionError) {
            return at(failure, new AssertionError(withText(failure.getMessage(), text), failure));
        }
        failure.addSuppressed(new ClusterState(text));
        return failure;
    }

    private static String withText(@Nullable String message, String text) {
        return message == null || message.isEmpty() ? text : message.stripTrailing() + "\n\n" + text;
    }

    private static Throwable at(Throwable place, Throwable failure) {
        failure.setStackTrace(place.getStackTrace());
        return failure;
    }

    /** What waits, as a part of the report of another exception. */
    @SuppressWarnings("serial") // never written anywhere
    private static final class ClusterState extends RuntimeException {
        ClusterState(String text) {
            super(text, null, false, false);
        }
    }
}
