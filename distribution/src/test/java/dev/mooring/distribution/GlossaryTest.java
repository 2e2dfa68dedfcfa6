// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The glossary names classes by their names; that its links lead somewhere is a matter of {@link DocumentLinksTest}. */
class GlossaryTest {
    private static final Pattern CLASS = Pattern.compile("\\[`(\\w+)`\\]\\(\\.\\./\\S+/(\\w+)\\.java\\)");
    private static final String BACK = "## To Kubernetes";
    private static final int CLASSES_AT_LEAST = 60;

    private static String page() throws IOException {
        return Reactor.read(Reactor.ROOT.resolve("docs/inside/glossary.md"));
    }

    private static List<String> named(String text) {
        List<String> names = new ArrayList<>();
        Matcher found = CLASS.matcher(text);
        while (found.find()) {
            assertThat(found.group(2)).as("the file behind %s", found.group(1)).isEqualTo(found.group(1));
            names.add(found.group(1));
        }
        return names;
    }

    @Test
    void eachClassIsCalledByItsName() throws IOException {
        assertThat(named(page())).hasSizeGreaterThan(CLASSES_AT_LEAST);
    }

    @Test
    void ourWordsStandInTheOrderOfTheAlphabetAndOnce() throws IOException {
        String text = page();
        List<String> ours = named(text.substring(text.indexOf(BACK))).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();

        assertThat(ours).isSorted().doesNotHaveDuplicates().isNotEmpty();
    }
}
