// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which options a volume may carry (semantics/plugins §1.3). */
class MountOptionRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bind", "rbind", "move", "remount", "make-shared", "make-rprivate", "x-mount.mkdir", "X-mount.owner=0",
                "loop", "loop=/dev/loop0", "user", "users", "owner", "group", "helper=evil", "context=system_u",
                "fscontext=a", "defcontext=a", "rootcontext=a", "BIND", "Remount"
            })
    void refusesWhatIsNotAVolumesMatter(String option) {
        assertThat(MountOptionRules.problemOf(List.of("noatime", option)))
                .hasValueSatisfying(
                        problem -> assertThat(problem).contains(option).contains("not allowed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "ro,suid", "a\nb", "a\0b", "a\tb", " ro", "ro "})
    void refusesWhatIsNotOneOption(String option) {
        assertThat(MountOptionRules.problemOf(List.of(option)))
                .hasValueSatisfying(
                        problem -> assertThat(problem).doesNotContain("\n").doesNotContain("\0"));
    }

    @ParameterizedTest
    @CsvSource({
        "ro, rw",
        "rw, ro",
        "noatime, atime",
        "exec, noexec",
        "hard, soft",
        "sync, async",
        "nosuid, suid",
        "lock, nolock",
        "noac, ac"
    })
    void refusesPairsOfWhichOneWouldHaveToBeGuessed(String first, String second) {
        assertThat(MountOptionRules.problemOf(List.of(first, "vers=4.1", second)))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("contradict")
                        .contains(first)
                        .contains(second));
    }

    @Test
    void letsTheRestThroughInTheUsersOrder() {
        assertThat(MountOptionRules.problemOf(List.of(
                        "ro", "ro", "noatime", "vers=4.2", "nconnect=4", "x-systemd.automount", "errors=remount-ro")))
                .isEmpty();
        assertThat(MountOptionRules.problemOf(List.of())).isEmpty();
    }

    @Test
    void showsALongOptionOnlyInPart() {
        assertThat(MountOptionRules.problemOf(List.of("context=" + "x".repeat(10_000))))
                .hasValueSatisfying(problem -> assertThat(problem).hasSizeLessThan(200));
    }
}
