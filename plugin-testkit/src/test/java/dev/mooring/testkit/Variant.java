// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * The example plugin with one mistake in it.
 *
 * @param broken the rule that the mistake breaks
 * @param mistake for people
 * @param edits what is written instead of what
 */
record Variant(Rule broken, String mistake, List<Edit> edits) {
    /** A text that occurs exactly once in one of the sources, and what stands there instead. */
    record Edit(String file, String right, String wrong) {}

    static Variant of(Rule broken, String mistake, String file, String right, String wrong) {
        return new Variant(broken, mistake, List.of(new Edit(file, right, wrong)));
    }

    Variant and(String file, String right, String wrong) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(new Edit(file, right, wrong));
        return new Variant(broken, mistake, more);
    }

    /** A source with the mistake in it. */
    String apply(String file, String source) {
        String text = source;
        for (Edit edit : edits) {
            if (edit.file().equals(file)) {
                assertThat(text.split(java.util.regex.Pattern.quote(edit.right()), -1))
                        .as("'%s' in %s of the example plugin", edit.right(), file)
                        .hasSize(2);
                text = text.replace(edit.right(), edit.wrong());
            }
        }
        return text;
    }

    @Override
    public String toString() {
        return broken.id() + " " + mistake;
    }
}
