// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsiHostTest {
    @ParameterizedTest
    @CsvSource({
        "disks.example.com, unix:///run/csi.sock, ''",
        "disks, /run/csi.sock, ''",
        "Disks, /run/csi.sock, is no name of a CSI driver",
        "'', /run/csi.sock, is no name of a CSI driver",
        "disks-, /run/csi.sock, is no name of a CSI driver",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, /run/csi.sock, at most 63",
        "disks, tcp://host:1, only unix sockets",
        "disks, run/csi.sock, the absolute path",
        "disks, unix:///run/, the absolute path",
    })
    void aDriverThatIsNamedWithItsSocketIsJudged(String name, String endpoint, String problem) {
        if (problem.isEmpty()) {
            assertThat(new CsiHost().problem(name, endpoint)).isEmpty();
        } else {
            assertThat(new CsiHost().problem(name, endpoint).orElseThrow()).contains(problem);
        }
    }
}
