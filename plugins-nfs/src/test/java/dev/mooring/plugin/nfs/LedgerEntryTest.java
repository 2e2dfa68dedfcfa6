// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerEntryTest {
    private static NfsLedgerEntry made(long inode) {
        return new NfsLedgerEntry(
                        NfsLedgerEntry.State.CREATING,
                        "team/data",
                        OptionalLong.empty(),
                        "uid-1",
                        "fast",
                        OnDelete.DELETE,
                        false)
                .ready(inode);
    }

    /** Servers that spread over machines number their files with all 64 bits, the highest among them. */
    @ParameterizedTest
    @ValueSource(longs = {2, 999_999_999_999_999_999L, 1_000_000_000_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void anEntryIsReadAgainWhateverTheServerCallsTheDirectory(long inode) {
        NfsLedgerEntry entry = made(inode);
        assertThat(NfsLedgerEntry.read(entry.write())).contains(entry);
    }

    @Test
    void aNumberThatIsNoneIsNoProof() {
        assertThat(NfsLedgerEntry.read(made(7).write().replace("\"7\"", "\"9223372036854775808\"")))
                .isEmpty();
    }
}
