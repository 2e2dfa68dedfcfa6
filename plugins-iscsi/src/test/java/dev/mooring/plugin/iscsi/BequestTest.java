// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * One volume has joined a session of another program, which went; another volume has begun a new one, and goes first. The volume that goes
 * last ends what is ours.
 */
class BequestTest extends FakeStaging {
    private static final int MOST_STEPS = 100;

    private final VolumeSpec older = Volumes.block(Volumes.source(IQN, 0).toSource());
    private final VolumeSpec newer = volume(1);

    private void bothStagedOverASessionThatTheNewerOneBegan() {
        node.world.login(IQN, FIRST, "default");
        value(node.stage(older));
        node.world.logout(node.world.sessions.get(0));
        value(node.stage(newer));
        assertThat(node.world.sessions).hasSize(1);
    }

    private String unstage(VolumeSpec volume) {
        return answer(node.unstage(volume, PluginState.NONE));
    }

    @Test
    void i08_theLastVolumeEndsTheSessionThatAnotherOneBegan() {
        bothStagedOverASessionThatTheNewerOneBegan();

        assertThat(unstage(newer)).isEqualTo("done");
        assertThat(node.world.sessions).hasSize(1);
        assertThat(unstage(older)).isEqualTo("done");
        assertThat(node.world.sessions).isEmpty();
        assertThat(node.tools.records()).isEmpty();
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void i06_noSecretIsLeftWhenTheLastVolumeHasGone() throws IOException {
        node.secret.put("node.session.auth.username", "someone");
        node.secret.put("node.session.auth.password", "planted-secret");
        VolumeSpec secret = Volumes.fileSystem(Volumes.withChap(Volumes.source(IQN, 1)));
        node.world.login(IQN, FIRST, "default");
        value(node.stage(older));
        node.world.logout(node.world.sessions.get(0));
        value(node.stage(secret));

        assertThat(unstage(secret)).isEqualTo("done");
        assertThat(unstage(older)).isEqualTo("done");
        try (var files = Files.walk(root.resolve("etc"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("planted"));
        }
    }

    @Test
    void i19_aCrashAfterAnyStepOfGoingLeavesTheSessionToAVolume() throws IOException {
        Path base = root;
        for (int i = 0; i < MOST_STEPS; i++) {
            root = Files.createDirectories(base.resolve(Integer.toString(i)));
            setUp();
            bothStagedOverASessionThatTheNewerOneBegan();
            node.crashAfter(i);
            boolean crashed = false;
            try {
                assertThat(unstage(newer)).isEqualTo("done");
            } catch (FakeNode.Crash crash) {
                crashed = true;
            }
            node.restart();
            // in either order
            assertThat(unstage(i % 2 == 0 ? newer : older))
                    .as("after step " + i)
                    .isEqualTo("done");
            assertThat(unstage(i % 2 == 0 ? older : newer))
                    .as("after step " + i)
                    .isEqualTo("done");
            assertThat(node.world.sessions).as("after step " + i).isEmpty();
            assertThat(node.tools.records()).as("after step " + i).isEmpty();
            assertThat(node.ledger()).as("after step " + i).isEmpty();
            if (!crashed) {
                return;
            }
        }
        throw new AssertionError("it never ended");
    }

    /** Does something once, in the middle of a command. */
    private void during(String command, Runnable action) {
        Function<Command, Optional<CommandResult>> once = run -> {
            node.tools.instead.remove(command);
            action.run();
            return Optional.empty();
        };
        node.tools.instead.put(command, once);
    }

    /** The volume that is left the session is being staged again, and notes what it does from what it has known before. */
    @Test
    void whatIsNotedMeanwhileDoesNotTakeTheSessionBack() {
        bothStagedOverASessionThatTheNewerOneBegan();
        node.world.unitOf(IQN, 0).keys.clear();
        node.world.unitOf(IQN, 0).holder = Optional.empty();
        node.record(older).set(PluginState.NONE);
        during("-n -i -c", () -> assertThat(unstage(newer)).isEqualTo("done"));

        value(node.stage(older));
        assertThat(node.tools.instead).isEmpty();
        assertThat(unstage(older)).isEqualTo("done");
        assertThat(node.world.sessions).isEmpty();
        assertThat(node.tools.records()).isEmpty();
    }

    @Test
    void aVolumeThatGoesAtTheSameTimeEndsWhatItIsLeft() {
        bothStagedOverASessionThatTheNewerOneBegan();
        // it has read its entry, and does not have the target yet
        node.unmounts = () -> {
            node.unmounts = () -> {};
            assertThat(unstage(newer)).isEqualTo("done");
        };

        assertThat(unstage(older)).isEqualTo("done");
        assertThat(node.world.sessions).isEmpty();
        assertThat(node.tools.records()).isEmpty();
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void aLoginInDoubtIsLeftToWhoStays() {
        node.world.login(IQN, FIRST, "default");
        value(node.stage(older));
        node.world.logout(node.world.sessions.get(0));
        node.tools.instead.put(
                "--login", command -> Optional.of(new CommandResult(CommandResult.Ending.KILLED, 143, "", "")));
        assertThat(answer(node.stage(newer))).isEqualTo("uncertain");
        node.tools.instead.clear();

        assertThat(unstage(newer)).isEqualTo("done");
        assertThat(unstage(older)).isEqualTo("uncertain");
        node.world.login(IQN, FIRST, "default");
        assertThat(unstage(older)).isEqualTo("done");
        assertThat(node.world.sessions).isEmpty();
        assertThat(node.tools.records()).isEmpty();
    }

    /** It is told by the one that began the session, whichever comes first in the ledger. */
    @Test
    void whoJoinsASessionOfOursKnowsThatItIsOurs() {
        bothStagedOverASessionThatTheNewerOneBegan();
        node.world.unit(IQN, 2, "naa.3");
        PluginState state = value(node.stage(volume(2)));

        assertThat(state.content()).contains("portal " + FIRST + " ours ours");
    }
}
