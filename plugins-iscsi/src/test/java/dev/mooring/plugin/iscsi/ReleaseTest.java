// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.FakeTools.exit;
import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A node that lets go of a volume leaves no registration that keeps other nodes away, or says that it does. */
class ReleaseTest extends FakeStaging {
    private static final NodeRef NEXT = new NodeRef("node-2", "node-uid-2");
    private static final String KEY = Reservations.key("node-uid-1");
    private static final String NEXT_KEY = Reservations.key(NEXT.uid());

    private final VolumeSpec one = volume(0);
    private final VolumeSpec two = volume(0, PORTAL, SECOND);

    private List<String> keys() {
        return new ArrayList<>(node.world.unitOf(IQN, 0).keys.values());
    }

    private Outcome<Nothing> unstage(VolumeSpec volume) {
        return node.unstage(volume, PluginState.NONE);
    }

    private void boots() {
        node.world.reboot();
        node.world.boot += "+";
    }

    private String note() {
        return node.notes(one).getOrDefault(HolderNote.NAME, "");
    }

    /** Everything that is asked over it ends so. */
    private void isDead(String disk, int code) {
        node.tools.instead.put(
                "/dev/" + disk,
                command -> command.tool().equals("sg_persist") ? Optional.of(exit(code, "")) : Optional.empty());
    }

    @ParameterizedTest(name = "path {0} is dead, given up by the kernel {1}")
    @MethodSource("deadPaths")
    void aPathThatIsDeadLeavesNoKeyThere(String dead, boolean givenUp, int code) {
        value(node.stage(two));
        isDead(dead, code);
        if (givenUp) {
            node.world.givenUp.add(dead);
        }

        assertThat(answer(unstage(two))).isEqualTo("done");
        assertThat(keys()).isEmpty();
        assertThat(note()).startsWith(KEY);
        assertThat(node.said).noneMatch(text -> text.contains("may remain"));
    }

    static Stream<Arguments> deadPaths() {
        return Stream.of("sda", "sdb")
                .flatMap(disk -> Stream.of(Arguments.of(disk, true, 15), Arguments.of(disk, false, 33)));
    }

    /** Targets differ in what becomes of the path that preempts the key that it has itself. */
    @Test
    void aTargetThatTakesTheOwnRegistrationTooIsLeftWithoutAKey() {
        value(node.stage(two));
        isDead("sda", 15);
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.tools.instead.put("sg_persist -n -o -A", command -> {
            unit.keys.values().removeIf(KEY::equals);
            unit.holder = Optional.empty();
            return Optional.of(exit(0, ""));
        });

        assertThat(answer(unstage(two))).isEqualTo("done");
        assertThat(keys()).isEmpty();
        assertThat(node.said).noneMatch(text -> text.contains("may remain"));
    }

    @Test
    void aTargetThatDoesNotLetTheKeyGoIsNoted() {
        value(node.stage(two));
        isDead("sda", 15);
        node.tools.instead.put("sg_persist -n -o -A", command -> Optional.of(exit(5, "")));

        assertThat(answer(unstage(two))).isEqualTo("done");
        assertThat(note()).isEqualTo("released " + KEY);
        assertThat(node.said).anyMatch(text -> text.contains("may remain"));
    }

    /** The agent died between the login of a new boot and the registration. */
    @Test
    void theKeyOfAnEarlierSessionGoesOverAPathThatWasNeverRegistered() {
        value(node.stage(one));
        boots();
        node.tools.instead.put("sg_persist -n -o -I", command -> {
            node.tools.instead.clear();
            throw new FakeNode.Crash();
        });
        assertThatThrownBy(() -> node.stage(one)).isInstanceOf(FakeNode.Crash.class);
        node.restart();

        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(keys()).isEmpty();
    }

    @Test
    void whoWasFencedTakesNothingFromTheNextOne() {
        value(node.stage(one));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        unit.keys.clear();
        unit.keys.put("initiator-2 1", NEXT_KEY);
        unit.holder = Optional.of("initiator-2 1");
        unit.kept = true;
        int ran = node.tools.ran.size();

        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(keys()).containsExactly(NEXT_KEY);
        assertThat(unit.kept).isTrue();
        assertThat(node.tools.ran.subList(ran, node.tools.ran.size())).noneMatch(text -> text.contains("-n -o"));
    }

    @Test
    void theNextNodeGetsAVolumeWhoseNodeWasRebooted() {
        value(node.stage(one));
        boots();
        assertThat(answer(unstage(one))).isEqualTo("done");
        node.becomes(NEXT);

        value(node.stage(one));
        assertThat(keys()).containsExactly(NEXT_KEY);
        assertThat(note()).isEqualTo(NEXT_KEY + " node-2 node-uid-2");
    }

    @Test
    void whileTheServerIsAwayAKeyThatIsLeftKeepsTheVolumeHere() {
        value(node.stage(one));
        boots();
        node.server.all(Outcome.deferred("no route to the server"));
        assertThat(answer(unstage(one))).isEqualTo("deferred");
        node.server.all(Outcome.done());
        node.server.writes = Outcome.uncertain("the connection broke");
        Outcome<Nothing> again = unstage(one);
        assertThat(answer(again)).isEqualTo("deferred");
        assertThat(again.message()).contains("no path", "the connection broke");
        assertThat(node.ledger()).hasSize(1);

        node.server.all(Outcome.done());
        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(node.ledger()).isEmpty();
        assertThat(note()).isEqualTo("released " + KEY);
    }

    @ParameterizedTest(name = "the note cannot be written: {0}")
    @MethodSource("failures")
    void aNodeOfWhichTheNoteSaysThatItHasLetGoDoesNotGetTheVolumeBefore(Outcome<Nothing> failure) {
        value(node.stage(one));
        boots();
        assertThat(answer(unstage(one))).isEqualTo("done");
        node.server.writes = failure;

        Outcome<PluginState> refused = node.stage(one);
        assertThat(answer(refused)).isEqualTo("deferred");
        assertThat(refused.message()).contains("could not be noted");
        assertThat(node.world.mounts).isEmpty();
        assertThat(keys()).isEmpty();
        node.server.writes = Outcome.done();
        value(node.stage(one));
        assertThat(note()).isEqualTo(KEY + " node-1 node-uid-1");
    }

    @ParameterizedTest(name = "the note cannot be written: {0}")
    @MethodSource("failures")
    void aHolderThatCannotBeNotedIsNoReasonToRefuse(Outcome<Nothing> failure) {
        node.notes(one).put(Disks.NOTE, "naa.1");
        node.server.writes = failure;

        value(node.stage(one));
        assertThat(node.said).anyMatch(text -> text.contains("who holds the reservation"));
    }

    static Stream<Outcome<Nothing>> failures() {
        return Stream.of(
                Outcome.deferred("no route"), Outcome.uncertain("broken"), Outcome.refused(Refusal.DENIED, "no right"));
    }

    @Test
    void whoLeavesNoKeyDoesNotAskTheServer() {
        value(node.stage(one));
        node.server.all(Outcome.deferred("no route to the server"));

        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(keys()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Refusal.class,
            names = {"UNSUPPORTED", "NOT_FOUND", "INCOMPATIBLE", "DENIED"})
    void whereNothingCanEverBeNotedTheVolumeGoes(Refusal refusal) {
        value(node.stage(one));
        boots();
        node.server.writes = Outcome.refused(refusal, "never");

        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(node.ledger()).isEmpty();
        assertThat(node.said).anyMatch(text -> text.contains("may remain"));
    }

    /** It came back long after another node took over by order, and knows only that it has no path. */
    @Test
    void whoWasLostAndComesBackLeavesTheNoteOfTheNextOneAndAddsItsOwn() {
        value(node.stage(one));
        node.notes(one).put(HolderNote.NAME, NEXT_KEY + " node-2 node-uid-2");
        boots();

        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(note()).isEqualTo(NEXT_KEY + " node-2 node-uid-2 released " + KEY);
        node.world.unitOf(IQN, 0).keys.put("initiator-2 9", NEXT_KEY);
        node.becomes(new NodeRef("node-3", "node-uid-3"));
        Outcome<PluginState> refused = node.stage(one);
        assertThat(refused.message()).contains(NEXT_KEY, "node-2").doesNotContain(KEY);
        assertThat(keys()).containsExactly(NEXT_KEY);
    }

    @Test
    void keysThatTwoNodesLeftAreTakenByTheThird() {
        value(node.stage(one));
        boots();
        assertThat(answer(unstage(one))).isEqualTo("done");
        node.notes(one).computeIfPresent(HolderNote.NAME, (name, text) -> text + " " + NEXT_KEY);
        node.world.unitOf(IQN, 0).keys.put("initiator-2 9", NEXT_KEY);
        NodeRef third = new NodeRef("node-3", "node-uid-3");
        node.becomes(third);

        value(node.stage(one));
        assertThat(keys()).containsExactly(Reservations.key(third.uid()));
    }

    /** Its Node object was deleted and made again, and the machine booted before its volumes were taken away. */
    @Test
    void aNodeThatWasRegisteredAnewTakesTheKeyThatItHadBefore() {
        value(node.stage(one));
        boots();
        node.becomes(new NodeRef("node-1", "node-uid-new"));

        PluginState state = value(node.stage(one));
        assertThat(keys()).containsExactly(Reservations.key("node-uid-new"));
        assertThat(state.content()).doesNotContain(KEY);
        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(keys()).isEmpty();
    }

    @Test
    void aNodeThatWasRegisteredAnewAndGivesUpAtOnceGivesUpItsFormerKeyToo() {
        value(node.stage(one));
        boots();
        node.becomes(new NodeRef("node-1", "node-uid-new"));
        node.tools.instead.put("sg_persist -n -o -A", command -> {
            node.tools.instead.clear();
            throw new FakeNode.Crash();
        });
        assertThatThrownBy(() -> node.stage(one)).isInstanceOf(FakeNode.Crash.class);
        node.restart();
        assertThat(keys()).hasSize(2);

        assertThat(answer(unstage(one))).isEqualTo("done");
        assertThat(keys()).isEmpty();
    }

    @Test
    void aKeyOfWhichTheLedgerKnowsNothingIsNotTaken() throws IOException {
        value(node.stage(one));
        boots();
        for (String entry : node.ledger()) {
            Files.delete(node.files.real(Path.of("/var/lib/mooring/iscsi/volumes", entry)));
        }
        node.record(one).set(PluginState.NONE);
        node.becomes(new NodeRef("node-1", "node-uid-new"));

        assertThat(answer(node.stage(one))).isEqualTo("elsewhere");
        assertThat(keys()).containsExactly(KEY);
    }

    @Test
    void aLostNodeIsFencedOverThePathThatAnswers() {
        value(node.stage(two));
        isDead("sda", 33);
        node.world.unitOf(IQN, 0).keys.put("initiator-3 9", Reservations.key("uid-3"));

        assertThat(answer(node.plugin()
                        .fence(
                                node.context(two),
                                node.plugin().identify(two.source()),
                                new NodeRef("node-3", "uid-3"))))
                .isEqualTo("done");
        assertThat(keys()).containsOnly(KEY);
    }

    @Test
    void aNoteSaysWhoHoldsItAndWhoHasLeft() {
        for (String text :
                List.of("ab node-1 uid", "released ab", "released ab cd", "ab released uid released cd", "")) {
            assertThat(HolderNote.parse(text).text()).isEqualTo(text);
        }
        assertThat(HolderNote.parse("ab released uid").released()).isEmpty();
        assertThat(HolderNote.parse("something else").text()).isEmpty();
        assertThat(HolderNote.parse("ab node-1 uid").withReleased(List.of("ab")).text())
                .isEqualTo("released ab");
    }
}
