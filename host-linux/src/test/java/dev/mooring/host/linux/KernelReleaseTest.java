// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelReleaseTest {
    @ParameterizedTest(name = "{0}: too old {1}")
    @CsvSource({
        "3.10.0-1160.el7.x86_64, true",
        "4.19.0-26-amd64, true",
        "5.4.0, true",
        "5.11.22, true",
        "5.12, false",
        "5.12.0-rc1, false",
        "5.15.0-1034-azure, false",
        "6.1.0-28-amd64, false",
        "10.0.1, false"
    })
    void kernelsBefore512AreTooOld(String release, boolean old) {
        assertThat(new KernelRelease(release).whyTooOld().isPresent()).isEqualTo(old);
    }

    @Test
    void theReasonNamesTheReleaseAndTheOneThatIsNeeded() {
        assertThat(new KernelRelease("4.19.0-26-amd64").whyTooOld().orElseThrow())
                .contains("Linux 4.19.0-26-amd64")
                .contains("needs Linux 5.12");
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(strings = {"", "?", "six", "6", "99999999999.1"})
    void aReleaseWithoutNumbersSaysNothing(String release) {
        assertThat(new KernelRelease(release).whyTooOld()).isEmpty();
    }
}
