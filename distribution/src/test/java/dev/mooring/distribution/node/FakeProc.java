// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A {@code /proc} that says what a test wants. */
record FakeProc(Path root) {
    static FakeProc in(Path root) throws IOException {
        FakeProc proc = new FakeProc(root);
        proc.process("self", "java", "mnt:[1]");
        Files.createDirectories(root.resolve("sys/kernel/random"));
        Files.writeString(root.resolve("sys/kernel/random/boot_id"), "boot-1\n");
        Files.writeString(root.resolve("sys/kernel/osrelease"), "6.1.0\n");
        Files.writeString(root.resolve("self/mountinfo"), "22 1 0:20 / / rw - ext4 /dev/vda rw\n");
        return proc;
    }

    FakeProc process(String id, String name, String mounts) throws IOException {
        Files.createDirectories(root.resolve(id).resolve("ns"));
        Files.writeString(root.resolve(id).resolve("comm"), name + "\n");
        Files.createSymbolicLink(root.resolve(id).resolve("ns/mnt"), Path.of(mounts));
        return this;
    }

    FakeProc mount(String place) throws IOException {
        Path table = root.resolve("self/mountinfo");
        Files.writeString(table, Files.readString(table) + "23 22 0:21 / " + place + " rw - tmpfs tmpfs rw\n");
        return this;
    }

    MachineFacts machine() {
        return new MachineFacts(root);
    }
}
