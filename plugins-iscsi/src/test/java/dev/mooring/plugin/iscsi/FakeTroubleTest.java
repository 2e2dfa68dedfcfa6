// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.FakeTools.exit;
import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of the dead, logins that are interrupted, targets that do not answer. */
class FakeTroubleTest extends FakeStaging {
    @Test
    void i17_theLockOfADeadProcessIsRemovedOnce() throws IOException {
        Path lock = lock();
        assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");
        assertThat(lock).exists();

        node.passes(Duration.ofSeconds(60));
        value(node.stage(volume(0)));
        assertThat(lock).doesNotExist();
        assertThat(node.said.stream().filter(text -> text.startsWith("StaleLockRemoved")))
                .hasSize(1);
    }

    @Test
    void i17_aLockIsNotOldBecauseTheClockWasSet() throws IOException {
        Path lock = lock();
        assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");

        node.clockIsSet(Duration.ofDays(1));
        assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");
        assertThat(lock).exists();
    }

    @Test
    void i17_aLockThatIsTakenAgainAndAgainIsWaitedFor() throws IOException {
        Path lock = lock();
        for (int turn = 0; turn < 10; turn++) {
            node.tools.lock = turn + " 2026-01-01";
            assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");
            node.passes(Duration.ofSeconds(60));
        }
        assertThat(lock).exists();
    }

    /** The file with which a process has the data base of iSCSI. */
    private Path lock() throws IOException {
        Path lock = root.resolve("run/lock/iscsi/lock.write");
        Files.createDirectories(lock.resolve("..").normalize());
        Files.createFile(lock);
        node.tools.instead.put(
                "-o new",
                command -> Files.exists(lock)
                        ? Optional.of(new CommandResult(Ending.EXITED, 6, "", "Timeout on acquiring lock on DB"))
                        : Optional.empty());
        return lock;
    }

    @Test
    void i29_whatTheKernelHasGivenUpIsTakenAwayWithAWordOnWhatIsLost() {
        PluginState state = value(node.stage(volume(0)));
        node.world.givenUp.add("sda");

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
        assertThat(node.said).anyMatch(text -> text.startsWith("DirtyDataLost") && text.contains(IQN));
    }

    @Test
    void i29_aPathThatIsGivenUpDoesNotKeepAVolumeWhoseDataIsWrittenByAnother() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        node.world.givenUp.add("sdb");
        node.steps.clear();

        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.steps).contains("flush sda").doesNotContain("flush sdb");
        assertThat(node.said).noneMatch(text -> text.startsWith("DirtyDataLost"));
        assertThat(node.traces()).isEmpty();
    }

    /** The pool that all share may have one thread only. */
    private static <T> CompletableFuture<T> onItsOwnThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task, "staging").start());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void i29_aTargetThatDoesNotAnswerHoldsUpNoOther() throws Exception {
        String dead = IQN + "dead";
        node.world.target(dead, PORTAL);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch givenUp = new CountDownLatch(1);
        node.tools.instead.put("-T " + dead + " -p 127.0.0.1:3260 -I default --login", command -> {
            asked.countDown();
            await(givenUp);
            return Optional.of(exit(8, "connection timed out"));
        });
        VolumeSpec unreachable = Volumes.fileSystem(Volumes.source(dead, 0).toSource());
        CompletableFuture<Outcome<PluginState>> stuck = onItsOwnThread(() -> node.stage(unreachable));
        asked.await();

        CompletableFuture<Outcome<PluginState>> other = onItsOwnThread(() -> node.stage(volume(0)));
        assertThat(value(other.get(60, TimeUnit.SECONDS))).isNotNull();
        assertThat(stuck).isNotDone();
        givenUp.countDown();
        assertThat(answer(stuck.get(60, TimeUnit.SECONDS))).isEqualTo("deferred");
    }

    @Test
    void i18_aLoginThatWasInterruptedIsUncertainAndUndoneAlthoughItSucceedsLate() {
        node.tools.instead.put("--login", command -> Optional.of(new CommandResult(Ending.KILLED, 143, "", "")));

        assertThat(answer(node.stage(volume(0)))).isEqualTo("uncertain");
        node.tools.instead.clear();
        node.world.login(IQN, FIRST, "default");

        assertThat(answer(node.unstage(volume(0), node.record(volume(0)).get())))
                .isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    private static Optional<CommandResult> killed() {
        return Optional.of(new CommandResult(Ending.KILLED, 143, "", ""));
    }

    /** From then on a login does what it does. */
    private void stagedWithALoginThatWasKilled() {
        node.tools.instead.put("--login", command -> killed());
        assertThat(answer(node.stage(volume(0)))).isEqualTo("uncertain");
        node.tools.instead.clear();
    }

    private Outcome<Nothing> unstage() {
        return node.unstage(volume(0), PluginState.NONE);
    }

    @Test
    void i18_aSessionThatComesAfterTheVolumeWasToGoIsEndedToo() {
        stagedWithALoginThatWasKilled();

        Outcome<Nothing> early = unstage();
        assertThat(answer(early)).isEqualTo("uncertain");
        assertThat(early.message()).contains(PORTAL);
        assertThat(node.ledger()).hasSize(1);
        assertThat(node.tools.records()).hasSize(1);
        node.world.login(IQN, FIRST, "default");

        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_aSessionThatComesWhileTheVolumeGoesIsEndedAtOnce() {
        stagedWithALoginThatWasKilled();
        node.waits = () -> {
            node.waits = () -> {};
            node.world.login(IQN, FIRST, "default");
        };

        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_aLoginThatMustHaveEndedLongAgoIsWaitedForNoLonger() {
        stagedWithALoginThatWasKilled();
        assertThat(answer(unstage())).isEqualTo("uncertain");

        node.passes(Login.GOES_ON);
        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    /** The volume was undone, and only the host's record, which cannot be taken back, still speaks of the login. */
    @Test
    void i18_aDoubtOfWhichTheLedgerKnowsNothingIsOver() throws IOException {
        stagedWithALoginThatWasKilled();
        Path ledger = node.files.real(Path.of("/var/lib/mooring/iscsi/volumes"));
        for (String entry : node.ledger()) {
            Files.delete(ledger.resolve(entry));
        }

        assertThat(answer(node.unstage(volume(0), node.record(volume(0)).get())))
                .isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_aLoginOfAnotherBootIsNotWaitedFor() {
        stagedWithALoginThatWasKilled();
        assertThat(answer(unstage())).isEqualTo("uncertain");

        node.world.reboot();
        node.world.boot = "two";
        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_anAgentThatDiesWhileItLogsInHasNotedThatItDoes() {
        node.tools.instead.put("--login", command -> {
            throw new FakeNode.Crash();
        });
        assertThatThrownBy(() -> node.stage(volume(0))).isInstanceOf(FakeNode.Crash.class);
        node.restart();
        node.tools.instead.clear();

        assertThat(answer(unstage())).isEqualTo("uncertain");
        node.world.login(IQN, FIRST, "default");
        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_aSessionThatCameLateIsTheVolumesAndNoLongerInDoubt() {
        stagedWithALoginThatWasKilled();
        node.world.login(IQN, FIRST, "default");

        value(node.stage(volume(0)));
        node.world.reboot();
        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.ledger()).isEmpty();
    }

    /** iscsid goes on with the login of an agent that was killed, and tells the next one that the session exists. */
    private void theAgentDiesInALoginThatGoesOn() {
        node.tools.instead.put("--login", command -> {
            throw new FakeNode.Crash();
        });
        assertThatThrownBy(() -> node.stage(volume(0))).isInstanceOf(FakeNode.Crash.class);
        node.restart();
    }

    @ParameterizedTest(name = "I18 the next login ends with {0}")
    @ValueSource(ints = {IscsiExit.EXISTS, 8, IscsiExit.AUTHENTICATION_FAILED})
    void i18_aLoginThatFailsDoesNotEndTheDoubtAboutAnEarlierOne(int code) {
        theAgentDiesInALoginThatGoesOn();
        node.tools.instead.put("--login", command -> Optional.of(exit(code, "")));

        assertThat(answer(node.stage(volume(0)))).isEqualTo("uncertain");
        assertThat(answer(unstage())).isEqualTo("uncertain");
        assertThat(node.ledger()).hasSize(1);
        node.world.login(IQN, FIRST, "default");
        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_aSessionThatAppearsAfterItWasSaidToExistIsTheVolumes() {
        theAgentDiesInALoginThatGoesOn();
        node.tools.instead.put("--login", command -> Optional.of(exit(IscsiExit.EXISTS, "session exists")));
        assertThat(answer(node.stage(volume(0)))).isEqualTo("uncertain");
        node.tools.instead.clear();
        node.world.login(IQN, FIRST, "default");

        value(node.stage(volume(0)));
        assertThat(answer(unstage())).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i18_aDoubtThatIsOlderThanAnyLoginIsOver() {
        theAgentDiesInALoginThatGoesOn();
        node.passes(Login.LONGEST);
        node.tools.instead.put("--login", command -> Optional.of(exit(8, "connection timed out")));

        assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void aLoginWhoseEndWasSeenIsNotWaitedFor() {
        value(node.stage(volume(0)));
        node.world.reboot();
        Instant before = node.clock().instant();
        assertThat(answer(unstage())).isEqualTo("done");

        node.tools.instead.put("--login", command -> Optional.of(exit(8, "connection timed out")));
        assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");
        assertThat(node.clock().instant()).isEqualTo(before);
        assertThat(node.ledger()).isEmpty();
    }
}
