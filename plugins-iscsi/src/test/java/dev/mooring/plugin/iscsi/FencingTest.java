// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.FakeTools.exit;
import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FencingTest {
    private static final NodeRef OLD = new NodeRef("node-1", "node-uid-1");
    private static final NodeRef NEW = new NodeRef("node-2", "node-uid-2");
    private static final String SECOND = "127.0.0.2:3260";

    @TempDir
    private Path root = Path.of("");

    private FakeNode node;
    private final VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());

    @BeforeEach
    void setUp() throws IOException {
        Files.createDirectories(root.resolve("run/lock"));
        node = new FakeNode(root);
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");
    }

    /** Another node looks at the same target: it has sessions of its own, and finds what the first one left there. */
    private void goToNewNode() {
        node.world.reboot();
        node.becomes(NEW);
        node.record(volume).set(PluginState.NONE);
        deleteLedger();
    }

    private void deleteLedger() {
        for (String name : node.ledger()) {
            try {
                Files.delete(node.files.real(Path.of("/var/lib/mooring/iscsi/volumes", name)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private List<String> keys() {
        return new ArrayList<>(node.world.unitOf(IQN, 0).keys.values());
    }

    @Test
    void i24_theSecondNodeIsToldWhoHoldsTheVolume() {
        value(node.stage(volume));
        assertThat(keys()).containsExactly(Reservations.key(OLD.uid()));
        assertThat(node.world.unitOf(IQN, 0).holder).isPresent();
        goToNewNode();

        Outcome<PluginState> refused = node.stage(volume);
        List<NodeRef> holders = refused.match(
                done -> List.of(),
                no -> List.of(),
                uncertain -> List.of(),
                deferred -> List.of(),
                elsewhere -> elsewhere.nodes());
        assertThat(holders).as(refused::toString).containsExactly(OLD);
        assertThat(keys()).containsExactly(Reservations.key(OLD.uid()));
        assertThat(node.world.sessions).isEmpty();
    }

    @Test
    void i25_aFenceOrderTakesTheKeyOfTheLostNodeAway() {
        value(node.stage(volume));
        goToNewNode();

        value(node.stage(volume, Map.of(Reservations.FENCE, "other-uid, " + OLD.uid())));
        assertThat(keys()).containsExactly(Reservations.key(NEW.uid()));
        assertThat(answer(node.unstage(volume, PluginState.NONE))).isEqualTo("done");
        assertThat(keys()).isEmpty();
    }

    @Test
    void i25_aFencedNodeThatStagesAgainDoesNotStayRegistered() {
        value(node.stage(volume));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        unit.keys.clear();
        unit.keys.put("initiator-2 1", Reservations.key(NEW.uid()));
        unit.holder = Optional.of("initiator-2 1");

        Outcome<PluginState> again = node.stage(volume);
        assertThat(answer(again)).isEqualTo("uncertain");
        assertThat(again.message()).contains("left as it is");
        assertThat(keys()).containsExactly(Reservations.key(NEW.uid()));
        assertThat(node.world.disks).hasSize(1);
    }

    @Test
    void whoHasTheVolumeKeepsEveryPathWhileASecondNodeTries() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        value(node.stage(two));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        assertThat(unit.kind).isEqualTo("7");
        unit.keys.put("initiator-2 9", Reservations.key(NEW.uid()));

        assertThat(answer(node.stage(two))).isEqualTo("uncertain");
        assertThat(keys().stream().filter(Reservations.key(OLD.uid())::equals)).hasSize(2);
        unit.keys.remove("initiator-2 9");
        value(node.stage(two));
    }

    @Test
    void aPathThatComesLateIsRegisteredWhileASecondNodeTries() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.world.target(IQN, PORTAL).units().put(0L, unit);
        PluginState state = value(node.stage(two));
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);
        unit.keys.put("initiator-2 9", Reservations.key(NEW.uid()));

        value(node.complete(two, state));
        assertThat(keys().stream().filter(Reservations.key(OLD.uid())::equals)).hasSize(2);
        assertThat(node.said).anyMatch(text -> text.contains(Reservations.key(NEW.uid())));
    }

    @Test
    void aNodeThatWasRegisteredAnewKeepsTheVolumeThatItHasWhileASecondOneTries() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        value(node.stage(two));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.becomes(new NodeRef("initiator-1", "node-uid-new"));
        unit.keys.put("initiator-2 9", Reservations.key(NEW.uid()));

        assertThat(answer(node.stage(two))).isEqualTo("uncertain");
        assertThat(unit.keys.values().stream().filter(Reservations.key("node-uid-new")::equals))
                .hasSize(2);
        unit.keys.remove("initiator-2 9");
        value(node.stage(two));
        assertThat(keys()).hasSize(2).containsOnly(Reservations.key("node-uid-new"));
    }

    /** What is listed under its key is a session's of an earlier boot; another node has registered since. */
    @Test
    void aNodeWhoseLedgerIsEmptyDoesNotStayRegisteredBesideAnother() {
        value(node.stage(volume));
        node.world.reboot();
        deleteLedger();
        node.record(volume).set(PluginState.NONE);
        node.world.unitOf(IQN, 0).keys.put("initiator-2 9", Reservations.key(NEW.uid()));
        node.world.unitOf(IQN, 0).holder = Optional.of("initiator-2 9");

        assertThat(answer(node.stage(volume))).isEqualTo("elsewhere");
        assertThat(node.world.unitOf(IQN, 0).keys.keySet()).noneMatch(nexus -> nexus.startsWith("initiator-1"));
    }

    @Test
    void i25_fencingNeedsAPathAndGivesProof() {
        VolumeId id = node.plugin().identify(volume.source());
        assertThat(answer(fence(id, OLD))).isEqualTo("deferred");
        value(node.stage(volume));
        assertThat(answer(fence(id, OLD))).isEqualTo("INVALID");
        assertThat(answer(fence(id, new NodeRef("node-3", "")))).isEqualTo("INVALID");
        node.world.unitOf(IQN, 0).keys.put("initiator-3 9", Reservations.key("uid-3"));

        assertThat(answer(fence(id, new NodeRef("node-3", "uid-3")))).isEqualTo("done");
        assertThat(keys()).containsExactly(Reservations.key(OLD.uid()));
        assertThat(answer(fence(id, new NodeRef("node-3", "uid-3")))).isEqualTo("done");

        node.world.unitOf(IQN, 0).keys.put("initiator-3 9", Reservations.key("uid-3"));
        node.tools.instead.put("sg_persist -n -o -A", command -> Optional.of(exit(0, "")));
        assertThat(answer(fence(id, new NodeRef("node-3", "uid-3")))).isEqualTo("uncertain");
    }

    private Outcome<Nothing> fence(VolumeId id, NodeRef lost) {
        return node.plugin().fence(node.context(volume), id, lost);
    }

    @Test
    void i26_afterANewSessionTheNodeRegistersAgainAndTakesItsReservationBack() {
        value(node.stage(volume));
        String orphan = node.world.unitOf(IQN, 0).holder.orElseThrow();
        node.world.reboot();

        value(node.stage(volume));
        assertThat(node.world.unitOf(IQN, 0).keys).doesNotContainKey(orphan);
        assertThat(node.world.unitOf(IQN, 0).holder).isPresent().get().isNotEqualTo(orphan);
        assertThat(answer(node.unstage(volume, PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i26_aTargetThatForgotEverythingIsReservedAgain() {
        value(node.stage(volume));
        node.world.unitOf(IQN, 0).keys.clear();
        node.world.unitOf(IQN, 0).holder = Optional.empty();

        value(node.stage(volume));
        assertThat(keys()).containsExactly(Reservations.key(OLD.uid()));
    }

    @Test
    void whoLeftWithoutAPathDoesNotKeepTheNextOneAway() {
        value(node.stage(volume));
        node.world.reboot();
        assertThat(answer(node.unstage(volume, PluginState.NONE))).isEqualTo("done");
        assertThat(keys()).containsExactly(Reservations.key(OLD.uid()));
        goToNewNode();

        value(node.stage(volume));
        assertThat(keys()).containsExactly(Reservations.key(NEW.uid()));
    }

    @Test
    void everyPathIsRegisteredAndAllOfThemHoldTheReservation() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        node.world.multipathd = true;

        value(node.stage(two));
        assertThat(keys()).hasSize(2).containsOnly(Reservations.key(OLD.uid()));
        assertThat(node.tools.ran).anyMatch(command -> command.contains("-R -K") && command.contains("-T 7"));
        assertThat(answer(node.unstage(two, PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i26_aReservationOfAllRegistrantsIsKeptWhenFewerPathsComeBack() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        value(node.stage(two));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.world.reboot();
        node.world.target(IQN, PORTAL).units().put(0L, unit);

        value(node.stage(two));
        assertThat(unit.holder).isPresent();
        assertThat(unit.kind).isEqualTo("7");
        assertThat(keys()).containsOnly(Reservations.key(OLD.uid()));
        assertThat(answer(node.unstage(two, PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i26_aReservationOfOnePathBecomesOneOfAllWhenMorePathsComeBack() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.world.target(IQN, PORTAL).units().put(0L, unit);
        value(node.stage(two));
        assertThat(unit.kind).isEqualTo("5");
        node.world.reboot();
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);

        value(node.stage(two));
        assertThat(unit.kind).isEqualTo("7");
        assertThat(keys()).hasSize(2).containsOnly(Reservations.key(OLD.uid()));
        assertThat(answer(node.unstage(two, PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i25_whatAllPathsOfALostNodeHeldIsTheNewNodesAlthoughItHasOnePath() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        value(node.stage(two));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        // a target that takes away registrations only, and leaves the reservation to who is left
        node.tools.instead.put("sg_persist -n -o -A", command -> {
            unit.keys.values().removeIf(Reservations.key(OLD.uid())::equals);
            unit.holder = unit.keys.keySet().stream().findFirst();
            return Optional.of(exit(0, ""));
        });
        goToNewNode();
        node.world.target(IQN, PORTAL).units().put(0L, unit);

        value(node.stage(two, Map.of(Reservations.FENCE, OLD.uid())));
        assertThat(keys()).containsExactly(Reservations.key(NEW.uid()));
        assertThat(answer(node.unstage(two, PluginState.NONE))).isEqualTo("done");
        assertThat(keys()).isEmpty();
    }

    private List<String> registrations() {
        return node.tools.ran.stream()
                .filter(command -> command.contains("-n -o -I"))
                .toList();
    }

    @Test
    void whatIsRegisteredSurvivesTheLossOfPowerWhicheverWayItWasRegistered() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.world.target(IQN, PORTAL).units().put(0L, unit);
        PluginState state = value(node.stage(two));
        assertThat(unit.kept).isTrue();
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);
        value(node.complete(two, state));
        assertThat(unit.kept).isTrue();
        node.world.reboot();
        value(node.stage(two));

        assertThat(unit.kept).isTrue();
        // one path, one that came later, and both of a new session, before and after they take over
        assertThat(registrations()).hasSize(6).allMatch(command -> command.contains(" -Z"));
    }

    @Test
    void whoIsSecondAndGoesAgainLeavesTheFirstOnesRegistrationAsItWas() {
        value(node.stage(volume));
        goToNewNode();

        assertThat(answer(node.stage(volume))).isEqualTo("elsewhere");
        assertThat(node.world.unitOf(IQN, 0).kept).isTrue();
    }

    @Test
    void whereATargetHasNoPlaceForRegistrationsTheyAreMadeWithout() {
        node.tools.instead.put(" -Z", command -> Optional.of(exit(5, "")));

        value(node.stage(volume));
        assertThat(keys()).hasSize(1);
        assertThat(node.world.unitOf(IQN, 0).kept).isFalse();
    }

    @Test
    void i27_aUnitAttentionIsOnlyNewsAndTheCommandIsGivenAgain() {
        int[] left = {2};
        node.tools.instead.put(
                "-o -I",
                command -> left[0]-- > 0 ? Optional.of(exit(PersistExit.UNIT_ATTENTION, "")) : Optional.empty());

        value(node.stage(volume));
        assertThat(keys()).hasSize(1);
    }

    @ParameterizedTest(name = "I27 capabilities end with {0}, fencing {1}")
    @CsvSource({
        "5, require, UNSUPPORTED",
        "9, require, UNSUPPORTED",
        "5, prefer, done",
        "9, prefer, done",
        "5, off, done",
        "2, prefer, deferred"
    })
    void i27_aTargetWithoutReservationsIsJudgedByPolicy(int code, String policy, String expected) {
        node.tools.instead.put("-n -i -c", command -> Optional.of(exit(code, "")));
        VolumeSpec wanted = Volumes.block(Volumes.source(IQN, 0).toSource(), Settings.FENCING, policy);

        assertThat(answer(node.stage(wanted))).isEqualTo(expected);
        assertThat(keys()).isEmpty();
    }

    /** No object could say that its node is lost or has let go. */
    @Test
    void aSourceThatIsWrittenInAPodIsNotReserved() {
        VolumeSpec inline =
                VolumeSpec.inline("data", "ns", Volumes.source(IQN, 0).toSource());
        value(node.stage(inline));
        assertThat(keys()).isEmpty();
        goToNewNode();
        node.record(inline).set(PluginState.NONE);

        value(node.stage(inline));
        assertThat(node.world.unitOf(IQN, 0).holder).isEmpty();
        assertThat(node.said).anyMatch(text -> text.contains("no fencing"));
        assertThat(answer(node.unstage(inline, PluginState.NONE))).isEqualTo("done");
    }

    @ParameterizedTest(name = "no sg_persist, fencing {0}")
    @CsvSource({"require, UNSUPPORTED", "prefer, done", "off, done"})
    void aNodeWithoutTheToolIsJudgedByPolicy(String policy, String expected) {
        node.tools.missing.add("sg_persist");
        VolumeSpec wanted = Volumes.block(Volumes.source(IQN, 0).toSource(), Settings.FENCING, policy);

        assertThat(answer(node.stage(wanted))).isEqualTo(expected);
    }

    @Test
    void keysAreNeverZeroAndDifferByNode() {
        assertThat(Reservations.key("a")).matches("[1-9a-f][0-9a-f]{0,15}").isNotEqualTo(Reservations.key("b"));
        assertThat(SgPersist.normal("0x".substring(2) + "00AB")).isEqualTo("ab");
    }
}
