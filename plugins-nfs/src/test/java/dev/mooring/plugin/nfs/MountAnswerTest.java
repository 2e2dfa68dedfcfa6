// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountAnswerTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mount.nfs: access denied by server while mounting s:/a                                   | DENIED",
                "mount.nfs: Operation not permitted                                                       | DENIED",
                "mount.nfs: an incorrect mount option was specified                                       | INVALID",
                "mount.nfs: mounting s:/a failed, reason given by server: No such file or directory       | NOT_FOUND",
                "mount.nfs: mount point /t does not exist                                                 | deferred",
                "mount.nfs: mount point /t is not a directory                                             | INVALID",
                "mount.nfs: requested NFS version or transport protocol is not supported                  | deferred",
                "mount.nfs: Protocol not supported                                                        | deferred",
                "mount.nfs: rpc.statd is not running but is required for remote locking.                  | UNSUPPORTED",
                "mount.nfs: Connection refused                                                            | deferred",
                "mount.nfs: No route to host                                                              | deferred",
                "mount.nfs: Network is unreachable                                                        | deferred",
                "mount.nfs: Connection timed out                                                          | deferred",
                "mount.nfs: Connection reset by peer                                                      | deferred",
                "mount.nfs: Failed to resolve server s: Name or service not known                         | deferred",
                "mount.nfs: Name or service not known                                                     | deferred",
                "mount.nfs: Temporary failure in name resolution                                          | deferred",
                "mount.nfs: Stale file handle                                                             | deferred",
                "mount.nfs: Stale NFS file handle                                                         | deferred",
                "mount.nfs: /t is busy or already mounted                                                 | IN_USE",
                "mount.nfs: mount system call failed                                                      | deferred",
                "mount.nfs: Input/output error                                                            | deferred",
                "mount.nfs: Remote I/O error                                                              | deferred",
                "mount.nfs: unknown filesystem type 'nfs4'                                                | UNSUPPORTED",
                "mount.nfs: No such device                                                                | UNSUPPORTED",
                "mount: /t: bad option; for several filesystems you might need a /sbin/mount.nfs helper program. | UNSUPPORTED",
                "mount.nfs: Resource temporarily unavailable                                              | deferred",
                "mount.nfs: No space left on device                                                       | EXHAUSTED",
                "mount.nfs: Too many open files                                                           | deferred",
                "mount.nfs: Too many open files in system                                                 | deferred",
                "mount.nfs: Cannot allocate memory                                                        | deferred",
                "mount.nfs: a text that no rule knows                                                     | uncertain",
                "''                                                                                       | uncertain",
            })
    void n04_everyTextHasItsOutcome(String text, String expected) {
        Outcome<Object> outcome = MountAnswer.judge(failed(32, text), true);
        assertThat(answer(outcome)).isEqualTo(expected);
        assertThat(outcome.message()).contains(text.strip());
    }

    /** The mount system call answers ENOSPC for nothing else than a full table. */
    @ParameterizedTest
    @CsvSource({
        "No space left on device, mount table is full, fs.mount-max",
        "Too many open files, files open, ulimit -n",
        "Too many open files in system, files open, fs.file-max"
    })
    void n04_aLimitOfThisMachineIsNamedWithTheWayOut(String text, String cause, String wayOut) {
        assertThat(MountAnswer.judge(failed(32, "mount.nfs: " + text), false).message())
                .contains(cause, wayOut);
    }

    @Test
    void n04_aVersionThatIsNotSpokenIsFinalOnceTheServerIsUp() {
        CommandResult result = failed(32, "mount.nfs: requested NFS version or transport protocol is not supported");
        assertThat(MountAnswer.saysUnsupported(result, List.of())).isTrue();
        assertThat(answer(MountAnswer.judge(result, false))).isEqualTo("INCOMPATIBLE");
        assertThat(MountAnswer.saysUnsupported(failed(32, "Connection refused"), List.of()))
                .isFalse();
    }

    @Test
    void n04_theEndingCountsBeforeTheText() {
        assertThat(answer(
                        MountAnswer.judge(new CommandResult(Ending.STILL_RUNNING, -1, "", "Connection refused"), true)))
                .isEqualTo("uncertain");
        assertThat(answer(MountAnswer.judge(new CommandResult(Ending.KILLED, 143, "", ""), true)))
                .isEqualTo("deferred");
        assertThat(answer(MountAnswer.judge(failed(0, ""), true))).isEqualTo("uncertain");
    }

    @Test
    void n04_everyRowOfTheTableCanBeReached() {
        for (MountAnswer.Row row : MountAnswer.ROWS) {
            String expected =
                    row.meaning() == MountAnswer.Meaning.FINAL ? row.refusal().toString() : "deferred";
            assertThat(answer(MountAnswer.judge(failed(32, row.text().toUpperCase(java.util.Locale.ROOT)), true)))
                    .as(row.text())
                    .isEqualTo(expected);
        }
    }

    private static CommandResult failed(int code, String text) {
        return new CommandResult(Ending.EXITED, code, "", text);
    }
}
