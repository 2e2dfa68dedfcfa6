// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.runtime.plugin.PluginRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a process that has no API of its own. */
class PageEndpointTest {
    private static final PageWorld STANDING_BY = new PageWorld(
            Optional::empty,
            PluginRegistry.EMPTY,
            List::of,
            new LifeLines(InstantSource.system()),
            PageReads.NONE,
            PageActors.NONE,
            InstantSource.system());

    @TempDir
    private Path directory = Path.of("");

    private static PageHandler page(Predicate<String> isToken) {
        return new PageHandler(STANDING_BY, isToken, new SecureRandom());
    }

    @Test
    void isShownOnLoopbackOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PageEndpoint.start(new InetSocketAddress("0.0.0.0", 0), page(text -> true)))
                .withMessageContaining("loopback");
    }

    @Test
    void aProcessThatStandsBySaysSo() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (PageEndpoint endpoint = PageEndpoint.start(address, page("right"::equals))) {
            URI at = URI.create("http://127.0.0.1:" + endpoint.port());
            HttpRequest.Builder state = HttpRequest.newBuilder(at.resolve("/ui/state"));
            assertThat(client.send(state.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            HttpResponse<String> login = client.send(
                    HttpRequest.newBuilder(at.resolve("/ui/login"))
                            .POST(HttpRequest.BodyPublishers.ofString("right"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            String cookie = login.headers().firstValue("Set-Cookie").orElse("");
            assertThat(cookie).contains("HttpOnly", "SameSite=Strict").doesNotContain("Secure");
            HttpResponse<String> answer = client.send(
                    state.header("Cookie", cookie.substring(0, cookie.indexOf(';')))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"deciding\":false}");
            HttpResponse<String> elsewhere = client.send(
                    HttpRequest.newBuilder(at.resolve("/api")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(elsewhere.statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aPageWithoutActsChangesNothing() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (PageEndpoint endpoint = PageEndpoint.start(address, page("right"::equals))) {
            String at = "http://127.0.0.1:" + endpoint.port();
            for (String path : List.of("/ui/act/rehearsal", "/ui/act")) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(URI.create(at + path))
                                .header("Origin", at)
                                .header("Authorization", "Bearer right")
                                .POST(HttpRequest.BodyPublishers.ofString("{\"act\":\"discard\",\"name\":\"disk\"}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(404);
                assertThat(answer.body()).isEqualTo("this page changes nothing\n");
            }
        }
    }

    @Test
    void theTokenIsMadeOnceAndForItsOwnerAlone() throws Exception {
        Path file = directory.resolve("deeper/token");
        assertThat(PageAccessToken.in(file, new SecureRandom())).rejects("", "x");
        String made = Files.readString(file).strip();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PageAccessToken.in(file, new SecureRandom())).accepts(made).rejects(made + "x");
    }

    @Test
    void aFileThatHoldsNoTokenIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("empty"), "\n");
        assertThatIOException()
                .isThrownBy(() -> PageAccessToken.in(file, new SecureRandom()))
                .withMessageContaining(file.toString());
    }
}
