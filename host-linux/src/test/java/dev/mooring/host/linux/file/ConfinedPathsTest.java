// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static dev.mooring.host.linux.support.KernelMachine.kindOf;
import static dev.mooring.host.linux.support.KernelMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfinedPathsTest {
    private KernelMachine machine;
    private PinnedPath volume;

    @BeforeEach
    void makesAVolumeWithLinks() throws IOException {
        machine = new KernelMachine(HostFeature.RESOLVE_RULES);
        Path directory = machine.directory("volume");
        machine.file("volume/real/deep/file", "inside");
        machine.file("outside/file", "outside");
        link(directory.resolve("inner"), "real/deep");
        link(directory.resolve("real/up"), "../real/deep/file");
        link(directory.resolve("out"), "../outside");
        link(directory.resolve("outFile"), "../outside/file");
        link(directory.resolve("absolute"), "/etc/passwd");
        link(directory.resolve("root"), directory + "/real");
        link(directory.resolve("loop"), "loop");
        link(directory.resolve("dangling"), "nowhere");
        link(directory.resolve("throughOut"), "real/../../outside/file");
        volume = machine.open(directory);
    }

    private static void link(Path at, String target) throws IOException {
        Files.createSymbolicLink(at, Path.of(target));
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            volume.close();
            machine.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "real, done",
        "real/deep/file, done",
        "inner, done",
        "inner/file, done",
        "real/up, done",
        "out, DENIED",
        "out/file, DENIED",
        "outFile, DENIED",
        "absolute, DENIED",
        "root, DENIED",
        "throughOut, DENIED",
        "loop, INCOMPATIBLE",
        "real/deep/file/below, INCOMPATIBLE",
        "dangling, NOT_FOUND",
        "nothing, NOT_FOUND",
        "../outside, INVALID",
        "real/../real, INVALID",
        "/etc, INVALID"
    })
    void linksAreFollowedAsLongAsTheyStayInside(String relative, String expected) {
        var found = volume.within(relative);
        assertThat(kindOf(found)).as(found::toString).isEqualTo(expected);
        found.result().ifPresent(PinnedPath::close);
    }

    @Test
    void whatIsFoundIsWhatTheLinkLeadsTo() {
        try (PinnedPath through = value(volume.within("inner/file"));
                PinnedPath straight = value(volume.child("real/deep/file"))) {
            FileFacts facts = value(through.facts());
            assertThat(facts).isEqualTo(value(straight.facts()));
        }
    }

    @Test
    void linksAreMadeReadAndReplacedAtOnce() {
        assertThat(value(volume.readLink("fresh"))).isEmpty();
        value(volume.makeSymbolicLink("fresh", "..v1"));
        assertThat(value(volume.readLink("fresh"))).hasValue("..v1");
        assertThat(kindOf(volume.makeSymbolicLink("fresh", "..v2"))).isEqualTo("IN_USE");
        value(volume.makeSymbolicLink("fresher", "..v2"));
        value(volume.replace("fresher", "fresh"));
        assertThat(value(volume.readLink("fresh"))).hasValue("..v2");
        assertThat(value(volume.readLink("fresher"))).isEmpty();
        assertThat(kindOf(volume.readLink("real"))).isEqualTo("INCOMPATIBLE");
        assertThat(kindOf(volume.replace("nothing", "fresh"))).isEqualTo("NOT_FOUND");
    }
}
