// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.csi.CsiEndpoint;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sockets that are not called, whatever user made them. */
class SocketPlaceTest {
    private static final int ANOTHER = 12345;

    @TempDir
    private Path directory;

    private Path socket(String name) throws IOException {
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(path));
        }
        return path;
    }

    private static String problem(Path socket) {
        return SocketPlace.problem(new CsiEndpoint(socket)).orElse("");
    }

    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void aSocketInADirectoryOfItsOwnIsCalled() throws IOException {
        assertThat(problem(socket("driver/csi.sock"))).isEmpty();
        assertThat(problem(directory.resolve("not-yet.sock"))).isEmpty();
    }

    @Test
    void whatIsNoSocketIsNotCalled() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "text");
        assertThat(problem(file)).contains("is no socket");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThat(problem(link)).contains(file + " is no socket");
        Path loop = directory.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThat(problem(loop)).contains("cannot be looked at");
    }

    @Test
    void whatEveryUserCanExchangeIsNotCalled() throws IOException {
        Path socket = socket("open/csi.sock");
        open(socket.getParent());
        assertThat(problem(socket))
                .contains("chmod o-w")
                .contains(socket.getParent().toString());
    }

    /** The kubelet's directory is a link on some machines. */
    @Test
    void aLinkIsFollowedAndJudgedWhereItLiesAndWhereItLeads() throws IOException {
        Path closed = socket("closed/csi.sock");
        assertThat(problem(Files.createSymbolicLink(directory.resolve("there.sock"), closed)))
                .isEmpty();

        Path other = socket("elsewhere/csi.sock");
        open(other.getParent());
        assertThat(problem(Files.createSymbolicLink(directory.resolve("leads.sock"), other)))
                .contains("elsewhere");

        Path place = Files.createDirectory(directory.resolve("place"));
        Path link = Files.createSymbolicLink(place.resolve("lies.sock"), closed);
        open(place);
        assertThat(problem(link)).contains("place");
    }

    @Test
    void aDirectoryAboveThatEveryUserCanExchangeIsNotTrusted() throws IOException {
        Path socket = socket("above/driver/csi.sock");
        assertThat(problem(socket)).isEmpty();
        open(directory.resolve("above"));
        assertThat(problem(socket)).contains("chmod o-w").contains("to " + directory.resolve("above") + " away");
    }

    @Test
    void eachLinkOfAChainIsJudgedWhereItLies() throws IOException {
        Path closed = socket("closed/csi.sock");
        Path place = Files.createDirectory(directory.resolve("between"));
        Path middle = Files.createSymbolicLink(place.resolve("middle"), closed.getParent());
        Path way = Files.createSymbolicLink(directory.resolve("way"), middle);
        assertThat(problem(way.resolve("csi.sock"))).isEmpty();
        open(place);
        assertThat(problem(way.resolve("csi.sock"))).contains("to " + place + " away");
    }

    @Test
    void aLinkLeadsUpwardsToo() throws IOException {
        Path closed = socket("closed/csi.sock");
        Path place = Files.createDirectories(directory.resolve("a/b"));
        Path link = Files.createSymbolicLink(place.resolve("up"), Path.of("../../closed/./csi.sock"));
        assertThat(problem(link)).isEmpty();
        open(closed.getParent());
        assertThat(problem(link)).contains("to " + closed.getParent() + " away");
    }

    /** It is looked at while it leads to the driver, and leads elsewhere when the driver is called. */
    @Test
    void aLinkInADirectoryOfAllUsersIsTrustedOnlyIfRootOrThisUserMadeIt() throws IOException {
        Path closed = socket("closed/csi.sock");
        Path place = Files.createDirectory(directory.resolve("all"));
        Path link = Files.createSymbolicLink(place.resolve("csi.sock"), closed);
        open(place);
        Files.setAttribute(place, "unix:mode", 01777);
        assertThat(problem(link)).isEmpty();
        try {
            Files.setAttribute(link, "unix:uid", ANOTHER, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            assumeThat(e).as("only root gives files away").isNull();
        }
        assertThat(problem(link)).contains("to " + place + " away");
    }

    @ParameterizedTest
    @CsvSource({
        // directory, owner, self, replaceable
        "0755, 1000, 0, false",
        "0775, 1000, 0, false",
        "0777, 0, 0, true",
        "0777, 500, 500, true",
        "01777, 0, 0, false",
        "01777, 500, 500, false",
        "01777, 0, 500, false",
        "01777, 1000, 0, true",
        "01777, 1000, 500, true"
    })
    void whoCanExchangeItIsSaidByTheDirectoryAndTheOwner(String mode, int owner, int self, boolean replaceable) {
        assertThat(SocketPlace.isReplaceable(Integer.parseInt(mode, 8), owner, self))
                .isEqualTo(replaceable);
    }
}
