// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.distribution.option.LostNodeOptions;
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
    void nothingIsForcedWithoutEvidenceUnlessAnOptionSaysSo() {
        assertThat(chosen()).isEqualTo(AttachDetachOptions.DEFAULT);
    }

    @Test
    void eachPolicyCanBeChosen() {
        assertThat(chosen("--force-detach-after", "6m", "--fence-lost-nodes", "--detach-from-deleted-nodes=false"))
                .isEqualTo(new AttachDetachOptions(false, true, Optional.of(Duration.ofMinutes(6))));
    }

    /** So that a flag can take back what a file says. */
    @Test
    void noTimeIsNever() {
        assertThat(chosen("--force-detach-after", "0s")).isEqualTo(AttachDetachOptions.DEFAULT);
    }

    @Command
    private static final class Nothing {}
}
