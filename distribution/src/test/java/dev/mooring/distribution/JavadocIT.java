// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.JUnitException;
import org.opentest4j.AssertionFailedError;

/**
 * All exported packages are documented: one run of javadoc over all libraries, in which a warning is an error. Only that a tag is
 * missing is none: a first sentence that says what a method answers needs no second one that says it again.
 */
class JavadocIT {
    private static final Pattern MISSING_TAG = Pattern.compile(".*: warning: no @(param|return|throws)\\b.*");
    /** What is generated is as it is. */
    private static final Pattern GENERATED = Pattern.compile(".*/target/generated-sources/.*: warning: .*");

    private static final Pattern PROBLEM = Pattern.compile(".*: (warning|error): .*");

    /** What generates builders, and the kit's JUnit: the application has neither. */
    private static Stream<Path> atBuild() {
        return Stream.of(RecordBuilder.class, Test.class, JUnitException.class, AssertionFailedError.class)
                .map(type -> Path.of(
                        type.getProtectionDomain().getCodeSource().getLocation().getPath()));
    }

    @Test
    void exportedPackagesAreDocumented(@TempDir Path out) {
        List<String> modules = new ArrayList<>();
        List<String> args = new ArrayList<>(
                List.of("-quiet", "-Xdoclint:all", "--release", "17", "-encoding", "UTF-8", "-notimestamp"));
        args.addAll(List.of("-Xmaxwarns", "10000", "-Xmaxerrs", "10000", "-d", out.toString()));
        args.addAll(List.of(
                "--module-path",
                Stream.concat(
                                Stream.of("lib", "lib/csi").map(Reactor.ROOT.resolve("distribution/target")::resolve),
                                atBuild())
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator))));
        for (Reactor.Unit unit : Reactor.libraries()) {
            // the generated half of this one has the documentation of CSI's specification
            if (!unit.exportedPackages().isEmpty() && !unit.directory().equals("csi-protocol")) {
                modules.add(unit.module());
                args.addAll(List.of(
                        "--module-source-path",
                        unit.module() + "=" + unit.sources() + File.pathSeparator + unit.generatedSources()));
            }
        }
        if (modules.isEmpty()) {
            return;
        }
        args.addAll(List.of("--module", String.join(",", modules)));
        StringWriter said = new StringWriter();
        PrintWriter printer = new PrintWriter(said);
        int status = ToolProvider.findFirst("javadoc").orElseThrow().run(printer, printer, args.toArray(String[]::new));
        printer.flush();
        assertThat(said.toString().lines().filter(line -> PROBLEM.matcher(line).matches()))
                .filteredOn(line -> !MISSING_TAG.matcher(line).matches()
                        && !GENERATED.matcher(line).matches())
                .isEmpty();
        assertThat(status).as(said.toString()).isZero();
    }
}
