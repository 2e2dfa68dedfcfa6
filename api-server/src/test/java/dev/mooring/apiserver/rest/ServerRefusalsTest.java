// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.EofException;
import org.junit.jupiter.api.Test;

/** Whose fault it is what the HTTP server refuses by itself. */
class ServerRefusalsTest {
    private static final HttpURI NONE = HttpURI.from("/api/%2e%2e/%41?labelSelector=%");
    private static final HttpURI GOOD = HttpURI.from("/api/v1/pods?limit=1");

    @Test
    void aPathThatIsNoneIsTheClientsFaultWhateverElseFails() {
        assertThat(ServerRefusals.statusOf(500, new IllegalStateException("x"), NONE))
                .isEqualTo(400);
        assertThat(ServerRefusals.statusOf(500, null, NONE)).isEqualTo(400);
    }

    @Test
    void aPathThatLeadsOutOfTheRootCannotEvenBeReadAndIsReplaced() {
        assertThatThrownBy(() -> HttpURI.from("/%2e%2e/%41/%2e%2e?labelSelector=%"))
                .isInstanceOf(IllegalArgumentException.class);
        HttpURI instead = HttpURI.from("/badMessage");
        assertThat(ServerRefusals.statusOf(500, new IllegalStateException("x"), instead))
                .isEqualTo(400);
    }

    @Test
    void whoEndsInTheMiddleOfARequestIsToBlame() {
        assertThat(ServerRefusals.statusOf(500, new EofException(), GOOD)).isEqualTo(400);
    }

    @Test
    void aDefectOfTheServerIsItsOwn() {
        assertThat(ServerRefusals.statusOf(500, new IllegalStateException("x"), GOOD))
                .isEqualTo(500);
        assertThat(ServerRefusals.statusOf(503, null, GOOD)).isEqualTo(503);
    }

    @Test
    void whatIsRefusedAsTheClientsFaultStaysAsItIs() {
        assertThat(ServerRefusals.statusOf(404, null, GOOD)).isEqualTo(404);
        assertThat(ServerRefusals.statusOf(431, new IllegalStateException("x"), NONE))
                .isEqualTo(431);
    }
}
