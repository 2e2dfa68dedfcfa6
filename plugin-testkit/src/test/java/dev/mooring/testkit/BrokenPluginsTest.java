// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.rule.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit names the rule that is broken, and finds nothing in a plugin that breaks none. */
@Tag("long")
class BrokenPluginsTest {
    @TempDir
    private Path directory;

    static Stream<Variant> slice() {
        return Slice.of(BrokenShelves.variants().toList());
    }

    @ParameterizedTest
    @MethodSource("slice")
    void namesTheRuleThatIsBroken(Variant variant) throws IOException {
        Kit.Report report = Kit.run(ExamplePlugin.compile(variant, directory));

        assertThat(report.broken()).as(report::messages).contains(variant.broken());
        assertThat(report.messages())
                .contains(variant.broken().id() + " " + variant.broken().text())
                .contains(variant.broken().why())
                .contains(variant.broken().remedy());
    }

    /** No host makes a plugin's directory for it. */
    @Test
    void aPluginThatExpectsItsDirectoryToBeThereFails() throws IOException {
        Variant variant = Variant.of(
                        Rule.CALLS_IDEMPOTENT,
                        "it only opens its directory",
                        BrokenShelves.SHELF,
                        "openOrMake(path, LinkRule.REFUSE, FileKind.DIRECTORY, 0700)",
                        "open(path, LinkRule.REFUSE)")
                .and(BrokenShelves.SHELF, "using(made.path(), directory", "using(made, directory");

        Kit.Report report = Kit.run(ExamplePlugin.compile(variant, directory));

        assertThat(report.failures()).isNotEmpty();
        assertThat(report.messages()).contains("provision", "NOT_FOUND");
    }

    /** Connections that are opened one by one and used again. */
    @Test
    void aPoolThatFillsSlowlyIsNoLeak() throws IOException {
        Variant variant = Variant.of(
                        Rule.EVERYTHING_CLOSED,
                        "each publish opens a file, nine in all",
                        BrokenShelves.PLUGIN,
                        BrokenShelves.PUBLISH_ANSWER,
                        ".map(nothing -> { if (POOL.size() < 9) POOL.add(file()); return PluginState.NONE; })")
                .and(
                        BrokenShelves.PLUGIN,
                        "private static final String HOSTNAME",
                        "private static final java.util.Queue<Object> POOL ="
                                + " new java.util.concurrent.ConcurrentLinkedQueue<>();"
                                + " private static Object file() {"
                                + " try { return java.nio.channels.FileChannel.open(Path.of(\"/dev/null\")); }"
                                + " catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } }"
                                + " private static final String HOSTNAME");

        Kit.Report report = Kit.run(ExamplePlugin.compile(variant, directory));

        assertThat(report.failures()).as(report::messages).isEmpty();
    }

    @Test
    void findsNothingInTheExample() throws IOException {
        Kit.Report report =
                Kit.run(ExamplePlugin.compile(new Variant(Rule.CONSTANT_DESCRIPTION, "nothing", List.of()), directory));

        assertThat(report.failures()).as(report::messages).isEmpty();
        assertThat(report.passed()).isGreaterThan(40);
    }
}
