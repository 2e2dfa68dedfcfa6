// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentPathsTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", ".hidden", "a/.b", "a..b", "a/..b", "a b", "ä", "./a"})
    void e2_ordinaryPathsMayBeUsed(String path) {
        assertThat(ContentPaths.problem(path)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', must name a file",
        "., must name a file",
        "/a, must be relative",
        ".., must not contain",
        "a/../b, must not contain",
        "a/.., must not contain",
        "..., must not start with",
        "..a, must not start with",
        "./..a, must not start with",
        "..data, must not start with"
    })
    void e2_pathsThatLeadOutOrAreTheWritersOwnAreRefused(String path, String rule) {
        assertThat(ContentPaths.problem(path))
                .hasValueSatisfying(problem -> assertThat(problem).contains(rule));
    }

    @Test
    void e2_lengthsAreCountedInBytes() {
        assertThat(ContentPaths.problem("a".repeat(255))).isEmpty();
        assertThat(ContentPaths.problem("a".repeat(256))).isPresent();
        assertThat(ContentPaths.problem("ä".repeat(127))).isEmpty();
        assertThat(ContentPaths.problem("ä".repeat(128))).isPresent();
        assertThat(ContentPaths.problem(("a".repeat(255) + "/").repeat(15) + "a".repeat(256)))
                .isPresent();
        assertThat(ContentPaths.problem("a/".repeat(2047) + "aa")).isEmpty();
        assertThat(ContentPaths.problem("a/".repeat(2047) + "aaa")).isPresent();
        assertThat(ContentPaths.problem("a\0b")).isPresent();
    }

    @Test
    void emptyElementsMeanNothing() {
        assertThat(ContentPaths.normalized("./a//b/")).isEqualTo("a/b");
    }
}
