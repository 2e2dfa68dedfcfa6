// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NfsSuperblockTest {
    private static final String OPTIONS = "rw,vers=4.2,hard,addr=10.0.0.1";

    private static MountEntry entry(String type, String source, String options) {
        return new MountEntry(
                1,
                1,
                "0:39",
                "/",
                false,
                Path.of("/t"),
                List.of("rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                type,
                source,
                List.of(options.split(",")));
    }

    private static NfsSuperblock recorded(String options) {
        return NfsSuperblock.of(new PublishedState("server:/a", Optional.of("0:39"), Optional.empty(), true, options))
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tmpfs | tmpfs      | rw                           | false",
                "nfs   | server:/a  | rw,vers=3,addr=10.0.0.1      | false",
                "nfs4  | other:/a   | rw,vers=4.2,addr=10.0.0.2    | false",
                "nfs4  | server:/a  | rw,vers=4.2,addr=10.0.0.1    | true",
                // another export of the server may lie in the same file system
                "nfs4  | server:/b  | ro,vers=4.2,addr=10.0.0.1    | true",
                // another name of the server
                "nfs4  | other:/b   | rw,vers=4.2,addr=10.0.0.1    | true",
                // the server has moved
                "nfs4  | server:/a  | rw,vers=4.2,addr=10.0.0.2    | true",
                "nfs4  | other:/a   | rw                           | true",
                "nfs4  | strange    | rw,vers=4.2,addr=10.0.0.2    | true"
            })
    void whatMayBeTheSameIsTakenForIt(String type, String source, String options, boolean maybe) {
        assertThat(recorded(OPTIONS).mayBe(entry(type, source, options))).isEqualTo(maybe);
    }

    @Test
    void whereLittleWasRecordedOnlyTheTypeTells() {
        NfsSuperblock sparse = recorded("");
        assertThat(sparse.mayBe(entry("nfs", "other:/a", "rw,vers=3,addr=10.0.0.2")))
                .isTrue();
        assertThat(sparse.mayBe("v3 0a000002  801 0:39         0:0                               no "))
                .isTrue();
        assertThat(sparse.mayBe(entry("tmpfs", "tmpfs", "rw"))).isFalse();
    }

    @Test
    void theKernelsListTellsVersionAndNumber() {
        NfsSuperblock four = recorded(OPTIONS);
        NfsSuperblock three = recorded("rw,vers=3,addr=10.0.0.1");
        String third = "v3 0a000001  801 0:39         6663:0                            no ";
        String fourth = "v4 fd000000000000000000000000000001  801 0:39         0:0                 no ";
        assertThat(three.mayBe(third)).isTrue();
        assertThat(three.mayBe(fourth)).isFalse();
        assertThat(four.mayBe(fourth)).isTrue();
        assertThat(four.mayBe(third)).isFalse();
        assertThat(four.mayBe(fourth.replace("0:39 ", "0:390"))).isFalse();
        assertThat(four.mayBe("NV SERVER   PORT DEV          FSID                              FSC"))
                .isFalse();
    }
}
