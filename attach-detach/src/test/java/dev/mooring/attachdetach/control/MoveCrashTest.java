// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume moves from one node to another while the process dies at every point of the way (semantics/attach-and-mount §7.2, S13). */
class MoveCrashTest {
    /** Attaching: intent, result, report. Moving: request, report, intent, release, deletion, then the three again. */
    private static final int WRITES_OF_A_LIFE = 11;

    private static AttachDetachWorld start(AttachDetachWorld world) {
        return world.withPodOn("n1", "n2");
    }

    /** Attached to n1 and used there; then the pod goes and another one wants the volume on n2. */
    private static void live(AttachDetachWorld world) {
        start(world).advance(Duration.ofMinutes(10));
        assertThat(world.truth("disk")).containsExactly("n1");
        world.inUse("n1", AttachDetachObjects.reported("disk")).settle();
        world.load(AttachDetachObjects.pod("b", "n2", "data")).deletePod("a").advance(Duration.ofMinutes(10));
        assertThat(world.truth("disk")).containsExactly("n1");
        assertThat(world.calls).noneMatch(call -> call.startsWith("detach"));
        world.inUse("n1").advance(Duration.ofMinutes(10));
    }

    private static void assertMoved(AttachDetachWorld world) {
        assertThat(world.violations).isEmpty();
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.attachment("disk", "n1")).isEmpty();
        assertThat(world.attachment("disk", "n2").orElseThrow().status().attached())
                .isTrue();
        assertThat(AttachDetachWorld.attachedTo(world.node("n1"))).isEmpty();
        assertThat(AttachDetachWorld.attachedTo(world.node("n2")))
                .containsExactly(AttachDetachObjects.reported("disk"));
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    void withoutACrashEachWriteIsMadeOnce() {
        AttachDetachWorld world = new AttachDetachWorld();
        live(world);
        assertMoved(world);
        assertThat(world.writes).hasSize(WRITES_OF_A_LIFE);
        assertThat(world.calls).containsExactly("attach disk n1", "detach disk n1", "attach disk n2");
    }

    @ParameterizedTest(name = "dies {1} write {0}")
    @CsvSource({
        "1,before", "2,before", "3,before", "4,before", "5,before", "6,before", "7,before", "8,before", "9,before",
        "10,before", "11,before", "1,after", "2,after", "3,after", "4,after", "5,after", "6,after", "7,after",
        "8,after", "9,after", "10,after", "11,after"
    })
    void endsTheSameWhereverTheProcessDies(int write, String when) {
        AttachDetachWorld world = new AttachDetachWorld();
        boolean before = when.equals("before");
        world.diesBeforeWrite = number -> before && number == write;
        world.diesAfterWrite = number -> !before && number == write;
        live(world);
        assertThat(world.deaths).isEqualTo(1);
        assertMoved(world);
    }

    @ParameterizedTest(name = "dies {1} call {0}")
    @CsvSource({"1,before", "2,before", "3,before", "1,after", "2,after", "3,after"})
    void endsTheSameWhetherOrNotTheCallHadItsEffect(int call, String when) {
        AttachDetachWorld world = new AttachDetachWorld();
        boolean before = when.equals("before");
        world.diesBeforeCall = number -> before && number == call;
        world.diesAfterCall = number -> !before && number == call;
        live(world);
        assertThat(world.deaths).isEqualTo(1);
        assertMoved(world);
    }

    @ParameterizedTest(name = "call {0} is uncertain, applied: {1}")
    @CsvSource({"1,true", "1,false", "2,true", "2,false", "3,true", "3,false"})
    void endsTheSameAfterALostAnswer(int call, boolean applied) {
        AttachDetachWorld world = new AttachDetachWorld();
        world.backend = c -> world.calls.size() == call ? Outcome.uncertain("lost") : Outcome.done();
        world.secretlyDone = c -> applied && world.calls.size() == call;
        live(world);
        assertMoved(world);
    }

    @ParameterizedTest(name = "call {0} is refused")
    @ValueSource(ints = {1, 2, 3})
    void endsTheSameAfterARefusal(int call) {
        AttachDetachWorld world = new AttachDetachWorld();
        world.backend = c -> world.calls.size() == call
                ? Outcome.refused(dev.mooring.storage.spi.Refusal.DENIED, "no")
                : Outcome.done();
        live(world);
        assertMoved(world);
    }

    /** Chance decides the order of news, decisions and effects, and the process dies at a random write besides. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25})
    void endsTheSameUnderEverySchedule(long seed) {
        AttachDetachWorld world = new AttachDetachWorld().shuffled(seed);
        long unlucky = 1 + seed % WRITES_OF_A_LIFE;
        world.diesAfterWrite = number -> number == unlucky;
        live(world);
        assertThat(world.deaths).isEqualTo(1);
        assertMoved(world);
    }
}
