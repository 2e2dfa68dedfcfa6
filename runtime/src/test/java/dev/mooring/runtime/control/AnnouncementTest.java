// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An announcement")
class AnnouncementTest {
    private static String kept(String message) {
        return new Announcement(Kinds.POD, ObjectKey.of("ns", "pod"), "uid", true, "FailedMount", message, "test")
                .message();
    }

    @Test
    @DisplayName("is cut to as many bytes as Kubernetes takes, never within a character")
    void bytes() {
        for (String letter : List.of("x", "ä", "…", "\uD83D\uDEA2")) {
            String cut = kept(letter.repeat(1025));
            assertThat(cut.getBytes(StandardCharsets.UTF_8)).as(letter).hasSizeBetween(1020, 1024);
            assertThat(cut).startsWith(letter).endsWith("…").matches("(" + letter + ")+…");
        }
    }

    @Test
    @DisplayName("that fits stays as it is")
    void fits() {
        assertThat(kept("ä".repeat(512))).isEqualTo("ä".repeat(512));
        assertThat(kept("x".repeat(1024))).hasSize(1024);
        assertThat(kept("")).isEmpty();
    }
}
