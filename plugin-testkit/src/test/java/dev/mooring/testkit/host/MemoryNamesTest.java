// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no name on a real machine is none in memory: else a plugin that passes the kit is refused on its first node. */
class MemoryNamesTest {
    private final Machine machine = Machine.inMemory();
    private final PinnedPath directory = machine.host()
            .files()
            .openOrMake(machine.directory(), LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
            .result()
            .orElseThrow()
            .path();

    private static boolean isInvalid(Outcome<?> outcome) {
        return outcome.match(
                done -> false, refused -> refused.refusal() == Refusal.INVALID, u -> false, d -> false, e -> false);
    }

    /** 256 bytes, in as many characters and in half of them. */
    static Stream<String> tooLong() {
        return Stream.of("x".repeat(256), "\u00e4".repeat(128));
    }

    static Stream<String> noNames() {
        return Stream.concat(Stream.of("", ".", "..", "a/b.card", "/a", "a/", "a\0b"), tooLong());
    }

    @ParameterizedTest
    @MethodSource("noNames")
    void whatIsNoNameIsInvalid(String name) {
        assertThat(directory.writeFile(name, new byte[0], 0600)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.readFile(name, 10)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.removeFile(name)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.makeDirectory(name, 0700)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.removeDirectory(name)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.makeSymbolicLink(name, "to")).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.readLink(name)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.replace(name, "b")).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.replace("b", name)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.rename(name, directory, "b")).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.rename("b", directory, name)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.list(10)).isEqualTo(Outcome.done(List.of()));
    }

    static Stream<String> noWays() {
        return Stream.concat(
                Stream.of("", ".", "..", "a/../b", "/a", "a//b", "a/", "a\0b"),
                tooLong().map(name -> "a/" + name));
    }

    @ParameterizedTest
    @MethodSource("noWays")
    void whatIsNoWayDownIsInvalid(String way) {
        assertThat(directory.child(way)).matches(MemoryNamesTest::isInvalid);
        assertThat(directory.within(way)).matches(MemoryNamesTest::isInvalid);
    }

    @ParameterizedTest
    @MethodSource("tooLong")
    void aPathWithANameThatIsTooLongIsInvalid(String name) {
        Path path = machine.directory().resolve(name);

        assertThat(machine.host().files().open(path, LinkRule.REFUSE)).matches(MemoryNamesTest::isInvalid);
        assertThat(machine.host().files().openOrMake(path, LinkRule.REFUSE, FileKind.DIRECTORY, 0700))
                .matches(MemoryNamesTest::isInvalid);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..a", "a b", "a\nb", ".mooring", "\u00e4"})
    void strangeNamesAreNames(String name) {
        assertThat(directory.writeFile(name, new byte[] {1}, 0600)).isEqualTo(Outcome.done());
        assertThat(directory.list(10)).isEqualTo(Outcome.done(List.of(name)));
    }

    @Test
    void aNameOf255BytesIsOne() {
        String name = "x".repeat(255);

        assertThat(directory.writeFile(name, new byte[0], 0600)).isEqualTo(Outcome.done());
        assertThat(directory.child(name)).matches(Outcome::isDone);
    }
}
