// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

/** What a writer of lines with rising numbers, from 0, has to find again after the power was cut. */
final class Acknowledged {
    private Acknowledged() {}

    /**
     * Throws unless all is there that was acknowledged, and nothing else.
     *
     * @param acknowledged the lines that are known to be on the disk. One may be missing wherever the power went after a line was on the
     *     disk and before that was noted
     * @param there the lines that were found
     * @param where said if it fails
     */
    static void prove(List<String> acknowledged, List<String> there, String where) {
        List<String> inOrder =
                IntStream.range(0, there.size()).mapToObj(String::valueOf).toList();
        assertThat(there).as("lines of " + where).isEqualTo(inOrder).containsAll(acknowledged);
    }
}
