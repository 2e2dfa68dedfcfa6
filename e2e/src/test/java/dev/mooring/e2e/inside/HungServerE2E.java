// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An NFS server that does not answer: pods of other storage start as fast as before, no threads pile up, events name the server, and when
 * it returns, everything goes on. The server is one address of this machine, and packets to it are dropped. The other one is asked in
 * version 3, since clients of version 4 find out that both are one server.
 */
public class HungServerE2E {
    private static final String EXPORT = "/srv/nfs";
    private static final String ALIVE = "127.0.0.1";
    private static final String HANGING = "10.9.9.9";
    private static final String SILENT = "silent";
    private static final int PODS = 12;

    @BeforeEach
    void serve() {
        Machine.service("nfs-start", EXPORT);
        Machine.tryRun("modprobe", "dummy");
        Machine.tryRun("ip", "link", "add", SILENT, "type", "dummy");
        Machine.run("ip", "addr", "replace", "10.9.9.1/24", "dev", SILENT);
        Machine.run("ip", "link", "set", SILENT, "up");
        comeBack();
    }

    @AfterEach
    void answers() {
        comeBack();
    }

    @Test
    void delaysNobodyElseAndIsTakenUpWhenItReturns() throws IOException {
        try (World world = new World()) {
            offer(world, "stuck", HANGING);
            for (int i = 0; i < 2 * PODS; i++) {
                offer(world, "free-" + i, ALIVE);
            }
            // The first one warms the classes.
            start(world, "free-0");
            long before = median(world, 1, PODS);
            int threads = Thread.activeCount();

            goAway();
            world.create(pod("stuck"));
            world.awaitEvent("stuck", HANGING);
            long during = median(world, PODS, 2 * PODS);
            System.out.printf(
                    "   pods of another server start in %.1f ms before and %.1f ms during the outage: ratio %.2f%n",
                    before / 1e6, during / 1e6, (double) during / before);
            assertThat(Thread.activeCount() - threads).as("more threads").isLessThan(PODS);
            assertThat(phase(world, "stuck")).isEqualTo("Pending");

            comeBack();
            String uid = world.running("stuck");
            Path stuck = world.mounted(uid, "kubernetes.io/nfs", "stuck");
            Files.writeString(stuck.resolve("file"), "late");
            assertThat(Path.of(EXPORT, "stuck", "file")).hasContent("late");
            world.delete(Kinds.POD, "stuck");
            for (int i = 0; i < 2 * PODS; i++) {
                world.delete(Kinds.POD, "free-" + i);
            }
            world.end();
        }
    }

    @Test
    void aPodOfAServerThatHangsWithItsMountGoesWhenItReturns() throws IOException {
        try (World world = new World()) {
            offer(world, "stuck", HANGING);
            offer(world, "free", ALIVE);
            start(world, "stuck");
            goAway();
            world.deleteWithoutWaiting(Kinds.POD, "stuck");
            start(world, "free");
            world.delete(Kinds.POD, "free");
            comeBack();
            world.delete(Kinds.POD, "stuck");
            world.end();
        }
    }

    /** The address is no longer of this machine, and the card that leads to others of its network swallows everything. */
    private static void goAway() {
        Machine.run("ip", "addr", "del", HANGING + "/32", "dev", "lo");
    }

    private static void comeBack() {
        Machine.run("ip", "addr", "replace", HANGING + "/32", "dev", "lo");
    }

    private static long median(World world, int from, int to) {
        List<Long> nanos = new ArrayList<>();
        for (int i = from; i < to; i++) {
            long begin = System.nanoTime();
            start(world, "free-" + i);
            nanos.add(System.nanoTime() - begin);
        }
        return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
    }

    private static void start(World world, String name) {
        world.create(pod(name));
        world.running(name);
    }

    private static String phase(World world, String name) {
        Pod pod = world.find(Kinds.POD, name).orElseThrow();
        return pod.status().phase().wireName();
    }

    /** One volume and one claim of a name, on one server. */
    private static void offer(World world, String name, String server) throws IOException {
        Files.createDirectories(Path.of(EXPORT, name));
        world.create("""
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], persistentVolumeReclaimPolicy: Retain,
                        nfs: {server: %s, path: %s/%s}, mountOptions: [nfsvers=%s]}}""".formatted(name, server, EXPORT, name, server.equals(HANGING) ? "4.2" : "3"));
        world.claim(name, name, "Filesystem", "ReadWriteMany");
        world.awaitVolume(name, PersistentVolumePhase.BOUND);
    }

    private static String pod(String name) {
        return """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}],
                        containers: [{name: main, image: none, volumeMounts: [{name: data, mountPath: /data}]}]}}""".formatted(name, World.NODE, name);
    }
}
