// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikelyNamesTest {
    @ParameterizedTest
    @CsvSource({
        "manuel, manual",
        "diks, disk",
        "standart, standard",
        "ebs.csi.aws.con, ebs.csi.aws.com",
        "n8, ''",
        "archive, ''",
        "'', ''"
    })
    void theNearestNameDiffersByFewLetters(String written, String meant) {
        List<String> names = List.of("disk", "ebs.csi.aws.com", "manual", "n1", "standard");
        assertThat(LikelyNames.nearest(written, names).orElse("")).isEqualTo(meant);
    }

    @Test
    void theClauseNamesWhatThereIs() {
        assertThat(LikelyNames.clause("manuel", List.of("manual", "gold")))
                .isEqualTo("; did you mean manual? There are: gold, manual");
        assertThat(LikelyNames.clause("x", List.of("gold"))).isEqualTo("; there are: gold");
        assertThat(LikelyNames.clause("x", List.of())).isEmpty();
    }

    @Test
    void theClauseIsShortHoweverManyNamesThereAre() {
        List<String> many =
                IntStream.range(100, 1000).mapToObj(i -> "volume" + i).toList();
        assertThat(LikelyNames.clause("x", many))
                .endsWith("volume109 and 890 more")
                .hasSizeLessThan(200);
    }
}
