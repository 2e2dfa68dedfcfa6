// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.FakeTools.exit;
import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several paths to one disk: maps, portals that are missing, and paths that come back. */
class FakePathsTest extends FakeStaging {
    @Test
    void i15_aMapIsUsedAndItsPoliciesHold() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        value(node.stage(two));
        assertThat(node.said).anyMatch(text -> text.contains("MultipathMissing"));
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(two, PluginState.NONE))).isEqualTo("done");

        VolumeSpec required =
                Volumes.fileSystem(Volumes.source(IQN, 0, PORTAL, SECOND).toSource(), Settings.MULTIPATH, "require");
        assertThat(answer(node.stage(required))).isEqualTo("deferred");
        assertThat(node.traces()).isEmpty();

        node.world.multipathd = true;
        value(node.stage(required));
        assertThat(node.world.mounts).containsValue("253:0");
        assertThat(answer(node.unstage(required, PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();

        VolumeSpec off =
                Volumes.fileSystem(Volumes.source(IQN, 0, PORTAL, SECOND).toSource(), Settings.MULTIPATH, "off");
        assertThat(answer(node.stage(off))).isEqualTo("IN_USE");
    }

    @Test
    void i15_aMapOverTheOnlyPathIsUsedAlthoughMultipathdHearsOfTheDiskLate() {
        node.world.multipathd = true;
        node.world.multipathdIsDeaf = 3;

        value(node.stage(volume(0)));
        assertThat(node.world.mounts).containsValue("253:0");
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aDiskThatMultipathdNeverHearsOfIsUsedAfterAWhile() {
        node.world.multipathd = true;
        node.world.multipathdIsDeaf = Integer.MAX_VALUE;

        value(node.stage(volume(0)));
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_onePathIsEnough() {
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");

        PluginState state = value(node.stage(volume(0, PORTAL, SECOND)));
        assertThat(node.said).anyMatch(text -> text.contains("no path over 127.0.0.1:3260"));
        assertThat(answer(node.unstage(volume(0, PORTAL, SECOND), state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aPortalThatWasMissingIsAddedWhileTheVolumeIsUsed() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        PluginState state = value(node.stage(two));
        assertThat(node.plugin().missing(state)).contains("no path to unit 0 of " + IQN + " over 127.0.0.1:3260");

        assertThat(node.complete(two, state).message())
                .startsWith("no path to unit 0 of " + IQN + " over 127.0.0.1:3260: ");
        assertThat(answer(node.complete(two, state))).isEqualTo("deferred");
        assertThat(node.world.mounts).containsValue("8:0");

        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);
        int ran = node.tools.ran.size();
        PluginState whole = value(node.complete(two, state));
        assertThat(node.plugin().missing(whole)).isEmpty();
        assertThat(node.tools.ran.subList(ran, node.tools.ran.size())).noneMatch(text -> text.contains(SECOND));
        assertThat(node.world.sessions).hasSize(2);
        assertThat(unit.keys).hasSize(2);
        assertThat(node.world.disks).hasSize(2);
        assertThat(node.world.mounts).hasSize(1).containsValue("8:0");
        assertThat(answer(node.unstage(two, whole))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i25_aNodeThatWasFencedDoesNotComeBackByAPortalThatDoes() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        PluginState state = value(node.stage(two));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        unit.keys.clear();
        unit.keys.put("initiator-2 1", Reservations.key("node-uid-2"));
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);

        assertThat(node.complete(two, state).message()).contains("lost its registration");
        assertThat(node.complete(two, state).message()).contains("lost its registration");
        assertThat(unit.keys).containsOnlyKeys("initiator-2 1");
        assertThat(node.world.sessions).hasSize(2);
    }

    @Test
    void i15_anotherDiskBehindAPortalThatComesBackIsNoPath() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        PluginState state = value(node.stage(two));
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.9");

        assertThat(answer(node.complete(two, state))).isEqualTo("CORRUPT");
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aPortalWhoseNameLedNowhereIsAddedToo() {
        VolumeSpec two = volume(0, SECOND, "storage.example.com");
        node.tools.instead.put("getent", command -> Optional.of(exit(2, "")));
        PluginState state = value(node.stage(two));
        assertThat(node.plugin().missing(state))
                .hasValueSatisfying(text -> assertThat(text).endsWith("over storage.example.com:3260"));
        assertThat(answer(node.complete(two, state))).isEqualTo("deferred");

        node.tools.instead.clear();
        PluginState whole = value(node.complete(two, state));
        assertThat(node.plugin().missing(whole)).isEmpty();
        assertThat(node.world.sessions).hasSize(2);
        assertThat(answer(node.unstage(two, whole))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aPathThatComesBackDoesNotReplaceTheOneThatIsMounted() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        value(node.stage(two));
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");

        PluginState state = value(node.stage(two));
        assertThat(node.world.disks).hasSize(2);
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aMapThatComesLateDoesNotReplaceThePathThatIsMounted() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        value(node.stage(two));
        node.world.multipathd = true;

        PluginState state = value(node.stage(two));
        assertThat(node.world.mounts).containsValue("8:0");
        node.world.multipathd = false;
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aBlockDeviceStaysTheOneThatPodsHave() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        value(node.stage(two));
        Path first = value(node.map(two));
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");

        PluginState state = value(node.stage(two));
        assertThat(value(node.map(two))).isEqualTo(first);
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i16_whereTheMapDoesNotGoThePathsStay() {
        node.world.multipathd = true;
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        node.world.mapStuck = true;

        assertThat(answer(node.unstage(two, state))).isEqualTo("uncertain");
        assertThat(node.world.disks).hasSize(2);
        assertThat(node.world.sessions).hasSize(2);
        assertThat(commands("fail_if_no_path")).hasSize(1);

        node.tools.instead.put("dmsetup info", command -> Optional.of(exit(0, "1")));
        assertThat(answer(node.unstage(two, state))).isEqualTo("IN_USE");
        node.world.mapStuck = false;
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i16_aMapThatHasLostItsLastPathGoesToo() {
        node.world.multipathd = true;
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        // another program ends the sessions
        List.copyOf(node.world.sessions).forEach(node.world::logout);
        node.world.pathless = "naa.1";

        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.world.mapFlushed).isTrue();
        assertThat(node.said).anyMatch(text -> text.startsWith("DirtyDataLost"));
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void i16_aMapOfAnotherDiskThatHasTheNameNowStays() {
        node.world.multipathd = true;
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        List.copyOf(node.world.sessions).forEach(node.world::logout);
        node.world.pathless = "naa.another";

        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.world.mapFlushed).isFalse();
    }
}
