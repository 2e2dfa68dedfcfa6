// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.distribution.cluster.VolumeRepairing;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code release} and {@code adopt} have in common. */
public final class VolumeRepairOptions {
    private static final List<String> KINDS = List.of("pv", "persistentvolume", "persistentvolumes");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Parameters(paramLabel = "pv/NAME", description = "The volume; pv/ may be left out.")
    private String subject = "";

    @Option(names = "--dry-run", description = "Shows what would be done, and writes nothing.")
    private boolean dryRun;

    /** Runs an act on the volume; the exit status. */
    public int run(Optional<ObjectKey> claim, Function<VolumeRepairs, Repair> act) {
        int slash = subject.indexOf('/');
        boolean volume = slash < 0 || KINDS.contains(subject.substring(0, slash).toLowerCase(Locale.ROOT));
        if (!volume || slash == subject.length() - 1) {
            throw malformed("must be pv/NAME or NAME, not '" + subject + "'");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (ClusterStore store = cluster.open()) {
            List<String> problems = new VolumeRepairing(store, InstantSource.system())
                    .run(subject.substring(slash + 1), claim, act, dryRun, out::println);
            out.flush();
            problems.forEach(problem -> spec.commandLine().getErr().println("mooring: " + problem));
            return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    public ParameterException malformed(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
