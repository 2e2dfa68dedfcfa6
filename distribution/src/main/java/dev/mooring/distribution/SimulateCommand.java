// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.option.OutputOption;
import dev.mooring.distribution.simulate.SimulationRun;
import dev.mooring.simulation.random.WorldOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring simulate}: random worlds. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Plays random worlds in virtual time and looks for broken invariants.",
            "A world has the whole control plane, users and faults. Invariants are checked after every step.",
            "The first world that breaks an invariant is reduced to a scenario file for 'mooring play'.",
            "Exit status: 0 no invariant is broken, 1 an invariant is broken."
        })
final class SimulateCommand implements Callable<Integer> {
    private final WorldOptions options;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--seeds", paramLabel = "N", description = "How many worlds. Default: ${DEFAULT-VALUE}.")
    private long seeds = 100;

    @Option(names = "--first", paramLabel = "SEED", description = "The first seed. Default: ${DEFAULT-VALUE}.")
    private long first;

    @Option(names = "--threads", paramLabel = "T", description = "How many at a time. Default: one per processor.")
    private int threads;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where the scenario of a failure is written. Default: the working directory.")
    private Path folder = Path.of("");

    @Mixin
    private OutputOption output = new OutputOption();

    SimulateCommand() {
        this(WorldOptions.DEFAULT);
    }

    /** Of other worlds. */
    SimulateCommand(WorldOptions options) {
        this.options = options;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeastOne("--seeds", seeds);
        if (spec.commandLine().getParseResult().hasMatchedOption("--threads")) {
            atLeastOne("--threads", threads);
        }
        int workers = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
        SimulationRun run = new SimulationRun(options, first, seeds, workers, folder);
        PrintWriter out = spec.commandLine().getOut();
        SimulationRun.Result result = run.run(spec.commandLine().getErr(), CommandLine.Help.Ansi.AUTO.enabled());
        out.print(output.isJson() ? result.json() : result.text());
        out.flush();
        return result.good() ? 0 : 1;
    }

    private void atLeastOne(String option, long value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " must be at least 1, not " + value);
        }
    }
}
