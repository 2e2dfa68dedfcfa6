// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.attachdetach.AttachDetachOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class LostNodeOptionsTest {
    private static AttachDetachOptions chosen(String... arguments) {
        LostNodeOptions options = new LostNodeOptions();
        new CommandLine(new Nothing()).addMixin("lost", options).parseArgs(arguments);
        return options.attachDetach();
    }

    @Test
    void nothingIsForcedWithoutEvidenceUnlessSomebodySaysSo() {
        assertThat(chosen()).isEqualTo(AttachDetachOptions.DEFAULT);
    }

    @Test
    void eachPolicyCanBeChosen() {
        assertThat(chosen("--force-detach-after", "6m", "--fence-lost-nodes", "--detach-from-deleted-nodes=false"))
                .isEqualTo(new AttachDetachOptions(false, true, Optional.of(Duration.ofMinutes(6))));
    }

    @Test
    void neverIsNotWrittenAsZero() {
        assertThatThrownBy(() -> chosen("--force-detach-after", "0s"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--force-detach-after");
    }

    @Command
    private static final class Nothing {}
}
