// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.random.WorldOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code simulate} answers: its exit status, and where the scenario of a failure is. */
class SimulateCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Every world has a node of this name. */
    private static final class NoNode implements Invariant {
        @Override
        public void step(WorldView world, Findings findings) {
            Optional<?> node = world.find(Kinds.NODE, ObjectKey.cluster("n1"));
            findings.require(node.isEmpty(), "no-node", "there is a node");
        }
    }

    private int run(WorldOptions options, String... arguments) {
        return new CommandLine(new SimulateCommand(options.withActs(1)))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void whatBreaksARuleIsStatusOneAndAScenarioWhosePathIsPrinted() throws IOException {
        int status = run(
                WorldOptions.DEFAULT.and(NoNode::new),
                "--first",
                "5",
                "--seeds",
                "3",
                "--threads",
                "1",
                "--folder",
                folder.toString());
        Path file = folder.resolve("seed-5.yaml");
        assertThat(status).isEqualTo(1);
        assertThat(out.toString())
                .contains("seed 5 breaks:", "  no-node: there is a node", "  apply Node n1")
                .contains("what happened last before the first of these", "step: apply Node n1")
                .contains("the whole world again: ./mooring simulate --first 5 --seeds 1")
                .endsWith("play it again with: ./mooring play " + file + "\n");
        assertThat(err.toString()).contains("seed 5 breaks no-node: there is a node; making it shorter");
        assertThat(Files.readString(file))
                .startsWith("# no-node: there is a node\n")
                .contains("apply Node n1");
    }

    @Test
    void programsAreToldTheSame() {
        int status =
                run(WorldOptions.DEFAULT.and(NoNode::new), "--seeds", "1", "--folder", folder.toString(), "-o", "json");
        Document told = KubernetesJson.standard().read(out.toString(), "output");
        assertThat(status).isEqualTo(1);
        assertThat(told.text("scenario")).contains(folder.resolve("seed-0.yaml").toString());
        assertThat(told.text("command")).contains("./mooring simulate --first 0 --seeds 1");
        assertThat(told.asMap()).containsKeys("violations", "lastEvents");
    }

    @Test
    void worldsInWhichNothingIsWrongAreStatusZeroAndLeaveNoFile() throws IOException {
        int status = run(WorldOptions.DEFAULT, "--seeds", "2", "--threads", "1", "--folder", folder.toString());
        assertThat(status).isZero();
        assertThat(out.toString())
                .startsWith("2 worlds, ")
                .contains("intermediate-states: ", "stale-states: ", "unobserved-states: ")
                .endsWith("no invariant is broken\n");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }
}
