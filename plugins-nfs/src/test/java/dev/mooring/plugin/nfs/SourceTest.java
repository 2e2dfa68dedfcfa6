// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.source;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceTest {
    private final NfsPlugin plugin = new NfsPlugin();

    @ParameterizedTest
    @CsvSource({
        "Server.Example.COM, /export, server.example.com:/export",
        "server.example.com., //export//a/, server.example.com:/export/a",
        "SERVER, /./a/./b/., server:/a/b",
        "server, /, server:/",
        "10.0.0.1, /a, 10.0.0.1:/a",
        "2001:DB8:0:0:0:0:0:1, /a, [2001:db8::1]:/a",
        "[2001:db8::0001], /a, [2001:db8::1]:/a",
        "::1, /a, [::1]:/a",
        "::, /a, [::]:/a",
        "1:0:0:2:0:0:0:3, /a, [1:0:0:2::3]:/a",
        "1:0:2:3:4:5:6:7, /a, [1:0:2:3:4:5:6:7]:/a",
        "1:2:3:4:5:6:0:0, /a, [1:2:3:4:5:6::]:/a",
        "FE80::1%eth0, /a, [fe80::1%eth0]:/a",
        "::ffff:10.0.0.1, /a, 10.0.0.1:/a",
        "server, /a b, server:/a b",
        "server, /...a, server:/...a",
    })
    void n01_equalStorageHasOneIdentity(String server, String path, String backend) {
        assertThat(plugin.validate(source(server, path))).isEmpty();
        VolumeId id = plugin.identify(source(server, path));
        assertThat(id.backend()).isEqualTo(backend);
        // and the identity can be read back, as unpublishing and the mount table need it
        assertThat(NfsSources.parse(backend).map(Export::source)).isEqualTo(Optional.of(backend));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-x",
                "a b",
                "a,b",
                "a/b",
                "a\nb",
                "a\0b",
                "[::1",
                "::1]",
                "[]",
                ":",
                "1::2::3",
                "fe80::1%a/b",
                "server:",
                "[server]",
                "host:2049",
                "é"
            })
    void n01_badServersAreRefused(String server) {
        assertThat(plugin.validate(source(server, "/a")))
                .extracting(FieldProblem::field)
                .containsExactly("spec.nfs.server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "..", "/..", "/a/../b", "/a/..", "/a\nb", "/a\tb", "/a\0b", "/a,b", "/a\u007f"})
    void n01_badPathsAreRefused(String path) {
        assertThat(plugin.validate(source("server", path)))
                .extracting(FieldProblem::field)
                .containsExactly("spec.nfs.path");
    }

    @Test
    void overlongPathsAreRefused() {
        assertThat(plugin.validate(source("server", "/" + "é".repeat(512)))).hasSize(1);
        assertThat(plugin.validate(source("server", "/" + "a".repeat(1023)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/a, /a, true",
        "/a, /a/b, true",
        "/a/b, /a, true",
        "/, /a, true",
        "/a, /ab, false",
        "/a/b, /a/c, false",
    })
    void n17_exportsOverlapByElements(String one, String other, boolean expected) {
        assertThat(new Export("s", one).overlaps(new Export("s", other))).isEqualTo(expected);
        assertThat(new Export("s", one).overlaps(new Export("t", other))).isFalse();
    }

    @Test
    void whatLiesBelowIsToldByElements() {
        Export share = new Export("s", "/srv");
        assertThat(share.relativize(new Export("s", "/srv/a/b"))).contains("a/b");
        assertThat(share.relativize(new Export("s", "/srv"))).isEmpty();
        assertThat(share.relativize(new Export("s", "/srvx"))).isEmpty();
        assertThat(share.relativize(new Export("t", "/srv/a"))).isEmpty();
        assertThat(new Export("s", "/").relativize(new Export("s", "/a"))).contains("a");
        assertThat(new Export("s", "/").child("a").path()).isEqualTo("/a");
    }

    @Test
    void volumesOfOneServerShareABulkheadAndOthersDoNot() {
        String one = plugin.bulkhead(plugin.identify(source("server", "/a")));
        assertThat(plugin.bulkhead(plugin.identify(source("SERVER.", "/b")))).isEqualTo(one);
        assertThat(plugin.bulkhead(plugin.identify(source("other", "/a")))).isNotEqualTo(one);
        assertThat(one).isEqualTo("kubernetes.io/nfs/server");
    }

    @Test
    void isOfferedAsAService() {
        assertThat(NfsPlugin.class.getModule().getDescriptor().provides())
                .anySatisfy(service -> assertThat(service.providers()).contains(NfsPlugin.class.getName()));
    }

    @Test
    void settingsAreChecked() {
        assertThat(plugin.configured(Map.of("roxMeansReadOnly", "false", "restrict", "true", "keep", ".a, .b"))
                        .isDone())
                .isTrue();
        NfsSettings read = NfsSettings.read(Map.of("restrict", "true", "keep", ".a, .b"))
                .result()
                .orElseThrow();
        assertThat(read.podOptions()).isEqualTo(List.of("nosuid", "nodev"));
        assertThat(read.keep()).containsExactlyInAnyOrder(".a", ".b");
        for (Map<String, String> wrong :
                List.of(Map.of("unknown", "true"), Map.of("restrict", "yes"), Map.of("keep", "a/b"))) {
            Outcome<StoragePlugin> answer = plugin.configured(wrong);
            assertThat(answer(answer)).isEqualTo("INVALID");
            assertThat(answer.message()).contains(wrong.keySet().iterator().next());
        }
    }
}
