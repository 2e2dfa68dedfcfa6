// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** What {@code mooring csi manifests} prints. */
public final class PrintedManifests {
    private PrintedManifests() {}

    /** Prints the manifests of a plugin. */
    public static String of(String plugin, String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("csi", "manifests", "--plugin", plugin, "--image", "example.com/driver:1"));
        arguments.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(Map.of());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertThat(line.execute(arguments.toArray(String[]::new)))
                .as(err::toString)
                .isZero();
        return out.toString();
    }

    static List<Document> read(String text) {
        return KubernetesYaml.standard().readAll(text, "manifests");
    }
}
