// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What became of a scenario.
 *
 * @param exitStatus {@link #PASSED}, {@link #FAILED} or {@link #MALFORMED}
 * @param output what to show, with a line break at its end; empty if the file is malformed; never null
 * @param error why the file cannot be played, one line that names file, step and key; empty if it was; never null
 * @param warnings of fields that no kind has, one line for each that names file, step and key; never null but potentially empty
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PlayResult(int exitStatus, String output, String error, List<String> warnings) {
    /** Every expectation holds. */
    public static final int PASSED = 0;

    /** An expectation does not hold. */
    public static final int FAILED = 1;

    /** The file is malformed, or asks for what this build does not have. */
    public static final int MALFORMED = 2;

    /** Copies the list. */
    public PlayResult {
        warnings = List.copyOf(warnings);
    }
}
