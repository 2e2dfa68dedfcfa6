// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.Command.AtLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger keeps what may still run, and nothing else. */
class ProcessLedgerTest {
    @TempDir
    Path directory;

    private void note(String name, String boot, String thing, ProcessIdentity process) throws IOException {
        ProcessLedger.Entry entry = new ProcessLedger.Entry(
                thing, AtLimit.LEAVE, Instant.EPOCH, Optional.of(process), List.of("mooring-no-such-tool"));
        Files.writeString(directory.resolve(name), entry.text(boot));
        Files.writeString(directory.resolve(name + ".out"), "said");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(each -> String.valueOf(each.getFileName())).sorted().toList();
        }
    }

    @Test
    void whatIsOfAnEarlierBootIsDroppedAtTheStart() throws IOException {
        ProcessIdentity here = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
        for (int i = 0; i < 20; i++) {
            note("a" + i, "another boot", "thing " + i, here);
        }
        Files.writeString(directory.resolve("b0.new"), "another boot\0cut off");
        Files.writeString(directory.resolve("c0"), ""); // by a loss of power
        note("d0", ProcessIdentity.boot(), "alive", here);

        ProcessLedger ledger = new ProcessLedger(directory);

        assertThat(files()).containsExactly("d0", "d0.out");
        assertThat(ledger.leftBehind("alive")).isPresent();
    }

    @Test
    void whatIsSeenToHaveEndedIsDropped() throws IOException {
        ProcessIdentity ended = new ProcessIdentity(ProcessHandle.current().pid(), 1);
        String name = String.valueOf(
                        new ProcessLedger(directory).output("thing").getFileName())
                .replace(".out", "");
        note(name, ProcessIdentity.boot(), "thing", ended);

        assertThat(new ProcessLedger(directory).leftBehind("thing")).isEmpty();
        assertThat(files()).isEmpty();
    }
}
