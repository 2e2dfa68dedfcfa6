// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocatableUpdatesTest {
    private Instant now = Instant.EPOCH;
    private final AllocatableUpdates updates = new AllocatableUpdates(() -> now);

    @Test
    void aDriverIsDueWhenItRegistersAndThenAsOftenAsItsObjectSays() {
        assertThat(updates.next()).isEmpty();
        updates.registered("disks");
        assertThat(updates.take()).containsExactly("disks");
        assertThat(updates.take()).as("while it is asked").isEmpty();

        updates.done("disks", Optional.of(Duration.ofSeconds(30)));
        assertThat(updates.next()).contains(now.plusSeconds(30));
        assertThat(updates.take()).isEmpty();
        now = now.plusSeconds(30);
        assertThat(updates.take()).containsExactly("disks");
        updates.done("disks", Optional.empty());
        assertThat(updates.next()).contains(now.plus(AllocatableUpdates.UNSAID));
    }

    @Test
    void aDriverThatLeavesWhileItIsAskedIsNotAskedAgain() {
        updates.registered("disks");
        assertThat(updates.take()).hasSize(1);
        updates.left("disks");
        updates.done("disks", Optional.of(Duration.ofSeconds(10)));

        assertThat(updates.next()).isEmpty();
    }

    @Test
    void aDriverWithoutRoomIsDueAtOnceOrOnceItHasAnsweredUnlessItHasGone() {
        updates.registered("disks");
        assertThat(updates.take()).hasSize(1);
        updates.full("disks");
        assertThat(updates.take()).as("while it is asked").isEmpty();
        updates.done("disks", Optional.of(Duration.ofMinutes(10)));
        assertThat(updates.take()).as("its answer may be older").containsExactly("disks");
        updates.done("disks", Optional.of(Duration.ofMinutes(10)));
        assertThat(updates.take()).isEmpty();
        updates.full("disks");
        updates.full("gone");
        assertThat(updates.take()).containsExactly("disks");
    }

    @Test
    void ifAnyMayBeFullAllAreDueAtOnceOrOnceTheyHaveAnswered() {
        updates.registered("asked");
        assertThat(updates.take()).hasSize(1);
        updates.registered("disks");
        assertThat(updates.take()).hasSize(1);
        updates.done("disks", Optional.of(Duration.ofMinutes(10)));

        updates.anyMayBeFull();

        assertThat(updates.take()).containsExactly("disks");
        updates.done("asked", Optional.of(Duration.ofMinutes(10)));
        assertThat(updates.take()).containsExactly("asked");
    }
}
