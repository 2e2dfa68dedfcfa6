// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent dies after every single step, with and without a reboot. */
@Tag("long")
class IscsiCrashTest {
    private static final String SECOND = "127.0.0.2:3260";
    private static final String INITIATOR = "iqn.2000-01.test:other";
    private static final int MOST_STEPS = 200;

    @TempDir
    private Path directory = Path.of("");

    static Stream<Arguments> worlds() {
        List<Arguments> all = new ArrayList<>();
        for (String world :
                List.of("one path", "two paths and a map", "chap", "own initiator", "block", "asked with chap")) {
            for (boolean reboot : new boolean[] {false, true}) {
                for (boolean again : new boolean[] {false, true}) {
                    all.add(Arguments.of(world, reboot, again));
                }
            }
        }
        return all.stream();
    }

    private FakeNode node(String world, int number) throws IOException {
        Path root = Files.createDirectories(directory.resolve(Integer.toString(number)));
        Files.createDirectories(root.resolve("run/lock"));
        FakeNode node = new FakeNode(root);
        node.world.multipathd = world.contains("map");
        node.world.target(IQN, world.equals("chap") ? "secret" : "", new String[] {Volumes.PORTAL, SECOND});
        node.world.unit(IQN, 0, "naa.1");
        node.tools.discoveryPassword = world.startsWith("asked") ? "secret" : "";
        node.secret.put(Chap.DISCOVERY + "username", "someone");
        node.secret.put(Chap.DISCOVERY + "password", "secret");
        node.secret.put("node.session.auth.username", "someone");
        node.secret.put("node.session.auth.password", "secret");
        return node;
    }

    private static VolumeSpec volume(String world) {
        return switch (world) {
            case "two paths and a map" ->
                Volumes.fileSystem(
                        Volumes.source(IQN, 0, Volumes.PORTAL, SECOND).toSource());
            case "chap" -> Volumes.fileSystem(Volumes.withChap(Volumes.source(IQN, 0)));
            case "asked with chap" ->
                Volumes.fileSystem(
                        Volumes.withDiscoveryChap(Volumes.source(IQN, 0)), Settings.DISCOVERY, "sendtargets");
            case "own initiator" -> Volumes.fileSystem(Volumes.withInitiator(Volumes.source(IQN, 0), INITIATOR));
            case "block" -> Volumes.block(Volumes.source(IQN, 0).toSource());
            default -> Volumes.fileSystem(Volumes.source(IQN, 0).toSource());
        };
    }

    /** A registration of a session that a reboot ended stays at the target until its node comes back: it is not the node's to leak. */
    private static void forgetRegistrations(FakeNode node, boolean reboot) {
        if (reboot) {
            node.world
                    .targets
                    .values()
                    .forEach(target -> target.units().values().forEach(unit -> unit.keys.clear()));
        }
    }

    /** After the agent died in a login, the login is uncertain; after it died with a lock, the lock looks held. Neither lasts for ever. */
    private static String inTheEnd(FakeNode node, VolumeSpec volume, PluginState state) {
        String answer = answer(onceTheLockIsOld(node, () -> node.unstage(volume, state)));
        if (!answer.equals("uncertain")) {
            return answer;
        }
        node.passes(Login.LONGEST);
        return answer(onceTheLockIsOld(node, () -> node.unstage(volume, state)));
    }

    /** Another time, if the lock was in the way. */
    private static <T> Outcome<T> onceTheLockIsOld(FakeNode node, Supplier<Outcome<T>> work) {
        Outcome<T> outcome = work.get();
        if (answer(outcome).equals("done")) {
            return outcome;
        }
        node.passes(Duration.ofMinutes(1));
        return work.get();
    }

    @ParameterizedTest(name = "I19 staging {0}, reboot {1}, staged again {2}")
    @MethodSource("worlds")
    void i19_aCrashAfterAnyStepOfStagingLeavesNothingBehind(String world, boolean reboot, boolean again)
            throws IOException {
        boolean finished = false;
        for (int i = 0; !finished && i < MOST_STEPS; i++) {
            FakeNode node = node(world, i);
            VolumeSpec volume = volume(world);
            node.crashAfter(i);
            try {
                assertThat(answer(node.stage(volume))).isEqualTo("done");
                finished = true;
            } catch (FakeNode.Crash crash) {
                assertThat(node.steps).hasSize(i + 1);
            }
            node.restart();
            if (reboot) {
                node.tools.boot();
            }
            if (again) {
                Outcome<PluginState> staged = onceTheLockIsOld(node, () -> node.stage(volume));
                assertThat(answer(staged)).as("after step " + i + ": " + staged).isEqualTo("done");
                assertThat(node.world.mounts).hasSize(world.equals("block") ? 0 : 1);
            }
            assertThat(inTheEnd(node, volume, PluginState.NONE))
                    .as("after step " + i)
                    .isEqualTo("done");
            forgetRegistrations(node, reboot && !again);
            assertThat(node.traces())
                    .as("after step " + i + " of " + node.steps)
                    .isEmpty();
        }
        assertThat(finished).isTrue();
    }

    @ParameterizedTest(name = "I19 unstaging {0}, reboot {1}")
    @MethodSource("worlds")
    void i19_aCrashAfterAnyStepOfUnstagingLeavesNothingBehind(String world, boolean reboot, boolean again)
            throws IOException {
        boolean finished = false;
        for (int i = 0; !finished && i < MOST_STEPS; i++) {
            FakeNode node = node(world, i);
            VolumeSpec volume = volume(world);
            PluginState state = IscsiMachine.value(node.stage(volume));
            node.crashAfter(i);
            try {
                assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
                finished = true;
            } catch (FakeNode.Crash crash) {
                assertThat(finished).isFalse();
            }
            node.restart();
            if (reboot) {
                node.tools.boot();
            }
            // the host's record alone has to be enough too
            assertThat(answer(onceTheLockIsOld(node, () -> node.unstage(volume, again ? state : PluginState.NONE))))
                    .as("after step " + i)
                    .isEqualTo("done");
            forgetRegistrations(node, reboot);
            assertThat(node.traces()).as("after step " + i).isEmpty();
        }
        assertThat(finished).isTrue();
    }

    /** A portal that did not answer is added later; wherever the agent dies then, the next one adds it or takes everything away. */
    @ParameterizedTest(name = "I19 completing, completed again {0}")
    @ValueSource(booleans = {false, true})
    void i19_aCrashAfterAnyStepOfAddingAPathLeavesNothingBehind(boolean again) throws IOException {
        boolean finished = false;
        for (int i = 0; !finished && i < MOST_STEPS; i++) {
            FakeNode node = node("one path", i);
            VolumeSpec volume = volume("two paths and a map");
            FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
            node.world.target(IQN, Volumes.PORTAL).units().put(0L, unit);
            PluginState state = IscsiMachine.value(node.stage(volume));
            node.world.target(IQN, Volumes.PORTAL, SECOND).units().put(0L, unit);
            node.crashAfter(i);
            try {
                assertThat(answer(node.complete(volume, state))).isEqualTo("done");
                finished = true;
            } catch (FakeNode.Crash crash) {
                assertThat(node.plugin().missing(node.record(volume).get())).isPresent();
            }
            node.restart();
            if (again) {
                assertThat(answer(node.complete(volume, state))).isEqualTo("done");
                assertThat(node.world.disks).as("after step " + i).hasSize(2);
                assertThat(unit.keys).as("after step " + i).hasSize(2);
            }
            assertThat(inTheEnd(node, volume, state)).isEqualTo("done");
            assertThat(node.traces()).as("after step " + i).isEmpty();
        }
        assertThat(finished).isTrue();
    }
}
