// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.CommandResult;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server does not give is answered before the call's deadline, though every tool takes all the time that it gets. */
class DeadlineTest {
    private final FakeHost host = new FakeHost();
    private final VolumeSpec volume = Calls.volume(Calls.source("server", "/a"), "vers=4.2");

    @AfterEach
    void close() {
        host.close();
    }

    @ParameterizedTest
    @CsvSource({
        "120, DENIED, mount.nfs: access denied by server while mounting server:/a",
        "120, NOT_FOUND, 'mount.nfs: mounting server:/a failed, reason given by server: No such file or directory'",
        "120, deferred, mount.nfs: Connection refused",
        "30, DENIED, mount.nfs: access denied by server while mounting server:/a",
        "30, NOT_FOUND, 'mount.nfs: mounting server:/a failed, reason given by server: No such file or directory'",
        "30, deferred, mount.nfs: Connection refused",
    })
    void n05_eachAnswerComesWithinItsDeadline(int seconds, String expected, String said) {
        host.script("mount.nfs", ScriptedRun.fails(32, said));
        assertAnswered(seconds, expected);
    }

    @ParameterizedTest
    @CsvSource({"120", "30"})
    void n05_aServerThatSaysNothingIsGivenUpWithinTheDeadline(int seconds) {
        host.script("mount.nfs", ScriptedRun.ends(CommandResult.Ending.KILLED));
        assertAnswered(seconds, "deferred");
    }

    private void assertAnswered(int seconds, String expected) {
        host.export("/a");
        host.slow = true;
        NfsPlugin plugin = new NfsPlugin(NfsSettings.DEFAULT, Connector.NONE, (context, time) -> host.clock.pass(time));
        Instant begin = host.clock.instant();
        Instant deadline = begin.plusSeconds(seconds);
        Outcome<PluginState> outcome = plugin.publish(
                new Calls.Context(host, host.clock, deadline, new AtomicReference<>(PluginState.NONE)),
                Calls.request(volume, host.target("t"), false, Occasion.INITIAL));
        assertThat(answer(outcome)).as(outcome::toString).isEqualTo(expected);
        assertThat(host.clock.instant()).isAfter(begin).isBeforeOrEqualTo(deadline);
    }
}
