// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files of the registry are sockets of registrars (semantics/csi §4.1). */
class RegistrySocketsTest {
    @TempDir
    private Path directory;

    /** The file stays when the socket is closed, as that of a process that died. */
    private Path socket(String name, String rights) throws IOException {
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(path));
        }
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }

    @Test
    void onlySocketsAreFoundAndNothingThatBeginsWithADot() throws IOException {
        Path one = socket("one.sock", "rw-------");
        Path below = socket("below/two.sock", "rw-------");
        socket(".three.sock", "rw-------");
        socket(".hidden/four.sock", "rw-------");
        Files.writeString(directory.resolve("file"), "text");
        Files.createSymbolicLink(directory.resolve("link.sock"), one);

        RegistrySockets found = RegistrySockets.in(directory);

        assertThat(found.sockets()).containsOnlyKeys(one, below);
        assertThat(found.directories()).containsExactlyInAnyOrder(directory, directory.resolve("below"));
    }

    @Test
    void aSocketThatEveryUserCanWriteToIsNotCalled() throws IOException {
        assertThat(RegistrySockets.problem(socket("open.sock", "rw-rw-rw-")).orElseThrow())
                .contains("chmod o-w");
        assertThat(RegistrySockets.problem(socket("closed.sock", "rwxrwxr-x"))).isEmpty();
        assertThat(RegistrySockets.problem(directory.resolve("gone.sock"))).isPresent();
        assertThat(RegistrySockets.problem(directory.resolve("n".repeat(120))).orElseThrow())
                .contains("longer than 107 bytes");
    }
}
