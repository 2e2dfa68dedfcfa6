// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A machine whose {@code /proc} says what a test wants. */
record FakeProc(Path machineRoot) {
    static FakeProc in(Path machineRoot) throws IOException {
        FakeProc proc = new FakeProc(machineRoot);
        proc.process("self", "java", "mnt:[1]");
        Files.createDirectories(machineRoot.resolve("proc").resolve("sys/kernel/random"));
        Files.writeString(machineRoot.resolve("proc").resolve("sys/kernel/random/boot_id"), "boot-1\n");
        Files.writeString(machineRoot.resolve("proc").resolve("sys/kernel/osrelease"), "6.1.0\n");
        Files.writeString(machineRoot.resolve("proc").resolve("meminfo"), "MemTotal:        2048 kB\nMemFree:  1 kB\n");
        Files.createDirectories(machineRoot.resolve("etc"));
        Files.writeString(machineRoot.resolve("etc/machine-id"), "machine-1\n");
        Files.writeString(
                machineRoot.resolve("proc").resolve("self/mountinfo"), "22 1 0:20 / / rw - ext4 /dev/vda rw\n");
        return proc;
    }

    private Path proc() {
        return machineRoot.resolve("proc");
    }

    FakeProc process(String id, String name, String mounts) throws IOException {
        Files.createDirectories(proc().resolve(id).resolve("ns"));
        Files.writeString(proc().resolve(id).resolve("comm"), name + "\n");
        Files.createSymbolicLink(proc().resolve(id).resolve("ns/mnt"), Path.of(mounts));
        return this;
    }

    FakeProc mount(String place) throws IOException {
        Path table = proc().resolve("self/mountinfo");
        Files.writeString(table, Files.readString(table) + "23 22 0:21 / " + place + " rw - tmpfs tmpfs rw\n");
        return this;
    }

    /** A process has a file open. */
    FakeProc opens(String id, String file) throws IOException {
        Path descriptors = Files.createDirectories(proc().resolve(id).resolve("fd"));
        Files.createSymbolicLink(descriptors.resolve("7"), Path.of(file));
        return this;
    }

    /** A socket of the kernel's table. */
    FakeProc socket(String file, boolean listens) throws IOException {
        Path table = Files.createDirectories(proc().resolve("net")).resolve("unix");
        String line = "0000000000000000: 00000002 00000000 " + (listens ? "00010000" : "00000000") + " 0001 01 4711 "
                + file + "\n";
        Files.writeString(table, (Files.exists(table) ? Files.readString(table) : "Num RefCount\n") + line);
        return this;
    }

    MachineFacts machine() {
        return new MachineFacts(machineRoot);
    }
}
