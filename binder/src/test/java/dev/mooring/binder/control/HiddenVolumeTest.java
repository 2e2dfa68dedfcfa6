// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A bound claim whose volume a list hides that shows not what there is (semantics/binder §1.5 B2, kubernetes#48081). */
class HiddenVolumeTest {
    private static final Duration A_WHILE = Duration.ofMinutes(30);

    @Test
    void isAskedForNowAndThenAndItsClaimIsLostWhenItHasGone() {
        Cluster cluster = new Cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data())
                .settle();
        int[] reads = new int[1];
        cluster.afterRead = read -> reads[0] += read instanceof Effect.Read ? 1 : 0;
        cluster.relistWithoutAny(Kinds.PERSISTENT_VOLUME).settle();
        cluster.advance(A_WHILE);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(reads[0]).as("not asked without end").isBetween(2, 60);

        cluster.tearOutVolume("pv").advance(A_WHILE);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.LOST);
    }
}
