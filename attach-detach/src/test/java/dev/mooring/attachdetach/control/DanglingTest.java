// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The storage has a volume attached, and no object says where (semantics/attach-and-mount §1.12). */
class DanglingTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** The disk is attached to n1, of which nothing tells but the storage; a pod wants it on n2. */
    private static AttachDetachWorld dangling() {
        AttachDetachWorld world = new AttachDetachWorld();
        world.dangle("disk", "n1");
        world.backend = call -> {
            Set<String> holders = world.truth("disk");
            boolean elsewhere =
                    call.operation().equals("attach") && !holders.isEmpty() && !holders.equals(Set.of(call.node()));
            return elsewhere
                    ? new Outcome.InUseElsewhere<>(List.of(new NodeRef("n1", "")), "the disk is attached to n1")
                    : Outcome.done();
        };
        return world.load(
                AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE),
                AttachDetachObjects.claim("data", "disk"));
    }

    private static void wantedOnN2(AttachDetachWorld world) {
        world.load(AttachDetachObjects.node("n2"), AttachDetachObjects.pod("b", "n2", "data"))
                .advance(LONG);
    }

    @ParameterizedTest(name = "its Node object is there: {0}")
    @ValueSource(booleans = {true, false})
    void itIsDetachedFromWhereNoPodWantsIt(boolean there) {
        AttachDetachWorld world = dangling();
        if (there) {
            world.load(AttachDetachObjects.node("n1"));
        }
        wantedOnN2(world);
        assertThat(world.calls).containsSubsequence("attach disk n2", "detach disk n1", "attach disk n2");
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.attachments()).hasSize(1);
        assertThat(world.told("b", AttachEvents.FAILED)).first().asString().contains("detached first from node n1");
        assertThat(world.violations).isEmpty();
    }

    @Test
    void itIsNotTakenFromANodeThatUsesIt() {
        AttachDetachWorld world = dangling();
        world.load(AttachDetachObjects.node("n1")).inUse("n1", AttachDetachObjects.reported("disk"));
        wantedOnN2(world);
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        assertThat(world.told("b", AttachEvents.FAILED)).last().asString().contains("node n1");
        world.inUse("n1").advance(LONG);
        assertThat(world.truth("disk")).containsExactly("n2");
    }

    @Test
    void whereTheStorageNamesNoNodePeopleAreToldAndItIsTriedAgain() {
        AttachDetachWorld world = dangling();
        world.backend = call -> new Outcome.InUseElsewhere<>(List.of(), "another machine has the disk");
        world.load(AttachDetachObjects.node("n1"));
        wantedOnN2(world);
        assertThat(world.attachments()).hasSize(1);
        assertThat(world.told("b", AttachEvents.FAILED))
                .hasSizeGreaterThan(2)
                .last()
                .asString()
                .contains("another machine has the disk");
    }
}
