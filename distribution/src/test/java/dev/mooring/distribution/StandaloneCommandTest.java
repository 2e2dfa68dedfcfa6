// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StandaloneCommandTest {
    @Test
    void theProcessEndsThoughTheServerCannotBeClosed() {
        CountDownLatch ended = new CountDownLatch(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> StandaloneCommand.close(
                        () -> {
                            throw new IllegalStateException("the disk has gone");
                        },
                        ended))
                .withMessage("the disk has gone");
        assertThat(ended.getCount()).isZero();
    }
}
