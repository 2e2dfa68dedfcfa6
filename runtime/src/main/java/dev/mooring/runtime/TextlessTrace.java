// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where something was thrown, for the log: the classes and frames of a throwable and its causes without their texts, which may quote a
 * secret that a plugin was given or what a client sent. Immutable but for what every throwable lets others change.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TextlessTrace extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int MOST_CAUSES = 5;
    private static final int MOST_FRAMES = 60;

    private TextlessTrace(Throwable thrown, int causes) {
        super(
                thrown.getClass().getName(),
                Optional.ofNullable(thrown.getCause())
                        .filter(cause -> causes > 0)
                        .map(cause -> new TextlessTrace(cause, causes - 1))
                        .orElse(null),
                false,
                true);
        StackTraceElement[] frames = thrown.getStackTrace();
        setStackTrace(Arrays.copyOf(frames, Math.min(frames.length, MOST_FRAMES)));
    }

    /** The trace of a throwable. */
    public static TextlessTrace of(Throwable thrown) {
        return new TextlessTrace(thrown, MOST_CAUSES);
    }
}
