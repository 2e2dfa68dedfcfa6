// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.CallLimits;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An NFS server that does not answer: pods of other storage start as fast as before (told, not
 * asserted), no threads pile up, events name the server, and when
 * it returns, everything goes on. The server is one address of this machine, and packets to it are dropped. The other one is asked in
 * version 3, since clients of version 4 find out that both are one server.
 */
public class HungServerE2E {
    private static final String EXPORT = "/srv/nfs";
    private static final String ALIVE = "127.0.0.1";
    private static final String HANGING = "10.9.9.9";
    private static final String SILENT = "silent";

    /** Pods of the server that answers, in each pass. */
    private static final int FREE = 7;

    /** Pods of the server that does not: without a limit so many calls would wait for it at once. */
    private static final int STUCK = 3 * CallLimits.DEFAULT.perNode();

    /** Passes without and with the outage take turns, so that what else the machine does hits both. */
    private static final int ROUNDS = 3;

    /** Calls to one server wait in a thread each, and on one node no more at once than this. */
    private static final int HELD = CallLimits.DEFAULT.perNode();

    /** What all these pods begin at once on the machine and in the store has threads for a moment, too. */
    private static final int MORE_THREADS = 2 * HELD;

    private static final int LOOKS = 20;
    private static final long LOOK_NANOS = 50_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @BeforeEach
    void serve() {
        MachineView.service("nfs-start", EXPORT);
        MachineView.tryRun("modprobe", "dummy");
        MachineView.tryRun("ip", "link", "add", SILENT, "type", "dummy");
        MachineView.run("ip", "addr", "replace", "10.9.9.1/24", "dev", SILENT);
        MachineView.run("ip", "link", "set", SILENT, "up");
        comeBack();
    }

    @AfterEach
    void answers() {
        comeBack();
    }

    @Test
    void delaysNoOtherVolumeAndIsTakenUpWhenItReturns() throws IOException {
        try (GuestWorld world = new GuestWorld()) {
            for (int i = 0; i < STUCK; i++) {
                offer(world, "stuck-" + i, HANGING);
            }
            for (int i = 0; i < FREE; i++) {
                offer(world, "free-" + i, ALIVE);
            }
            // The first one warms the classes.
            pass(world);
            List<Pass> before = new ArrayList<>();
            List<Pass> during = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                before.add(pass(world));
                during.add(passInOutage(world, round));
                takenUp(world, round);
            }
            tell(before, during);
            assertThat(during)
                    .as("calls that wait at once")
                    .allSatisfy(pass -> assertThat(pass.waiting()).isLessThanOrEqualTo(HELD));
            assertThat(most(during) - most(before)).as("more threads").isLessThanOrEqualTo(MORE_THREADS);
            world.end();
        }
    }

    private static Pass passInOutage(GuestWorld world, int round) {
        goAway();
        for (int i = 0; i < STUCK; i++) {
            world.create(pod(stuck(i, round), "stuck-" + i));
        }
        while (waiting() < HELD) {
            assertThat(Thread.interrupted()).as("it lasts too long").isFalse();
            LockSupport.parkNanos(1_000_000);
        }
        Pass pass = pass(world);
        world.awaitEvent(stuck(0, round), HANGING);
        for (int i = 0; i < STUCK; i++) {
            assertThat(phase(world, stuck(i, round))).isEqualTo("Pending");
        }
        comeBack();
        return pass;
    }

    /** Others in each round, so that their events are too. */
    private static String stuck(int number, int round) {
        return "stuck-" + number + "-" + round;
    }

    private static void takenUp(GuestWorld world, int round) throws IOException {
        for (int i = 0; i < STUCK; i++) {
            String volume = "stuck-" + i;
            Path shown = world.mounted(world.running(stuck(i, round)), "kubernetes.io/nfs", volume);
            Files.writeString(shown.resolve("file"), "late " + round);
            assertThat(Path.of(EXPORT, volume, "file")).hasContent("late " + round);
        }
        for (int i = 0; i < STUCK; i++) {
            world.delete(Kinds.POD, stuck(i, round));
        }
    }

    @Test
    void aPodOfAServerThatHangsWithItsMountGoesWhenItReturns() throws IOException {
        try (GuestWorld world = new GuestWorld()) {
            offer(world, "stuck", HANGING);
            offer(world, "parts", HANGING);
            offer(world, "free", ALIVE);
            start(world, "stuck");
            world.create(pod("parts", "parts", ", subPath: a/b"));
            Path directory = world.root().resolve("pods").resolve(world.running("parts"));
            Files.writeString(directory.resolve("volume-subpaths/data/main/0/file"), "of a part");
            assertThat(Path.of(EXPORT, "parts", "a", "b", "file")).hasContent("of a part");
            goAway();
            world.deleteWithoutWaiting(Kinds.POD, "stuck");
            world.deleteWithoutWaiting(Kinds.POD, "parts");
            start(world, "free");
            world.delete(Kinds.POD, "free");
            comeBack();
            world.delete(Kinds.POD, "stuck");
            world.delete(Kinds.POD, "parts");
            assertThat(Path.of(EXPORT, "parts", "a", "b", "file"))
                    .as("what the pod wrote")
                    .hasContent("of a part");
            world.end();
        }
    }

    /** The address is no longer of this machine, and the card that leads to others of its network swallows everything. */
    private static void goAway() {
        MachineView.run("ip", "addr", "del", HANGING + "/32", "dev", "lo");
    }

    private static void comeBack() {
        MachineView.run("ip", "addr", "replace", HANGING + "/32", "dev", "lo");
    }

    /**
     * How pods of the server that answers come and go, one after the other.
     *
     * @param nanos the median of the times until they run
     * @param threads the most that there were at once
     * @param waiting the most that were in calls of the plugin when none of these pods was waiting for one
     */
    private record Pass(long nanos, int threads, int waiting) {}

    private static Pass pass(GuestWorld world) {
        List<Long> nanos = new ArrayList<>();
        int waiting = 0;
        THREADS.resetPeakThreadCount();
        for (int i = 0; i < FREE; i++) {
            long begin = System.nanoTime();
            start(world, "free-" + i);
            nanos.add(System.nanoTime() - begin);
            waiting = Math.max(waiting, waiting());
        }
        int threads = THREADS.getPeakThreadCount();
        for (int i = 0; i < FREE; i++) {
            world.delete(Kinds.POD, "free-" + i);
        }
        return new Pass(nanos.stream().sorted().skip(FREE / 2).findFirst().orElseThrow(), threads, waiting);
    }

    /** How many calls wait: the least of some looks, since a call to the server that answers is over before the next one. */
    private static int waiting() {
        int least = inCalls();
        for (int look = 1; look < LOOKS && least > HELD; look++) {
            LockSupport.parkNanos(LOOK_NANOS);
            least = Math.min(least, inCalls());
        }
        return least;
    }

    private static int inCalls() {
        return (int) Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().startsWith("dev.mooring.plugin.nfs.")))
                .count();
    }

    private static int most(List<Pass> passes) {
        return passes.stream().mapToInt(Pass::threads).max().orElseThrow();
    }

    /** The best of each kind: whatever else the machine does makes a pass slower only. */
    private static void tell(List<Pass> before, List<Pass> during) {
        double best = least(before);
        System.out.printf(
                Locale.ROOT,
                "%spods of another server start in %.1f ms, with %d pods stuck on one that hangs in %.1f ms: ratio %.2f"
                        + " (best of %d passes each), at most %d and %d threads%n",
                InsideMain.SEEN,
                best / 1e6,
                STUCK,
                least(during) / 1e6,
                least(during) / best,
                ROUNDS,
                most(before),
                most(during));
    }

    private static double least(List<Pass> passes) {
        return passes.stream().mapToLong(Pass::nanos).min().orElseThrow();
    }

    private static void start(GuestWorld world, String name) {
        world.create(pod(name, name));
        world.running(name);
    }

    private static String phase(GuestWorld world, String name) {
        Pod pod = world.find(Kinds.POD, name).orElseThrow();
        return pod.status().phase().wireName();
    }

    /** One volume and one claim of a name, on one server. */
    private static void offer(GuestWorld world, String name, String server) throws IOException {
        Files.createDirectories(Path.of(EXPORT, name));
        world.create("""
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], persistentVolumeReclaimPolicy: Retain,
                        nfs: {server: %s, path: %s/%s}, mountOptions: [nfsvers=%s]}}""".formatted(name, server, EXPORT, name, server.equals(HANGING) ? "4.2" : "3"));
        world.claim(name, name, "Filesystem", "ReadWriteMany");
        world.awaitVolume(name, PersistentVolumePhase.BOUND);
    }

    private static String pod(String name, String claim) {
        return pod(name, claim, "");
    }

    private static String pod(String name, String claim, String mount) {
        return """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}],
                        containers: [{name: main, image: none, volumeMounts: [{name: data, mountPath: /data%s}]}]}}""".formatted(name, GuestWorld.NODE, claim, mount);
    }
}
