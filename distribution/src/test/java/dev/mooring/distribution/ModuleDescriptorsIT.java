// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What {@code jar --describe-module} says of each jar is what we last agreed to publish. Packages that a module keeps to
 * itself are not part of that.
 */
class ModuleDescriptorsIT {
    @Test
    void jarsDescribeThemselvesAsAgreed() {
        ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
        Set<String> names = new TreeSet<>();
        for (Reactor.Unit unit : Reactor.units()) {
            String target = unit.directory().equals("distribution") ? "target/lib" : "target";
            Path file = Reactor.ROOT
                    .resolve(unit.directory())
                    .resolve(target)
                    .resolve("mooring-" + Reactor.published(unit) + "-" + Reactor.VERSION + ".jar");
            assertThat(file).exists();
            StringWriter out = new StringWriter();
            PrintWriter printer = new PrintWriter(out);
            int status = jar.run(printer, printer, "--describe-module", "--file", file.toString());
            assertThat(status).as(out.toString()).isZero();
            // The first line carries a path and the version; the rest is in the order of the JDK's hash tables.
            String description = unit.module() + "\n"
                    + out.toString()
                            .lines()
                            .skip(1)
                            .filter(line -> !line.isBlank() && !line.startsWith("contains "))
                            .sorted()
                            .collect(Collectors.joining("\n"))
                    + "\n";
            names.add(unit.module());
            Golden.compare("modules", unit.module(), description);
        }
        Golden.nothingElse("modules", names);
    }
}
