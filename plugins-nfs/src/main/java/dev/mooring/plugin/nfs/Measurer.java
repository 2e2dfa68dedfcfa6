// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at mounted exports through {@link Probe} (semantics/plugins §2.4, §2.5). */
final class Measurer {
    private static final Pattern NUMBERS = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");
    private static final String STALE = "Stale file handle";

    private final OperationContext context;
    private final Probe probe;

    Measurer(OperationContext context, Probe probe) {
        this.context = context;
        this.probe = probe;
    }

    /** How full the whole export is, of which the volume may be a part. */
    Outcome<Statistics.Usage> usage(VolumeId volume, Path path) {
        Optional<Export> export = NfsSources.parse(volume.backend());
        return MountTarget.of(context, path)
                .then(target -> {
                    try (target) {
                        return target.mounted();
                    }
                })
                .then(there -> there.filter(entry -> export.filter(wanted -> ExportMount.shows(entry, wanted))
                                .isPresent())
                        .map(entry -> measure(export.orElseThrow(), entry))
                        .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, volume + " is not mounted at " + path)));
    }

    private Outcome<Statistics.Usage> measure(Export export, MountEntry entry) {
        // block size, blocks, free, available; inodes, free
        return probe.ask(
                        export.server(),
                        List.of(
                                "-f",
                                "-c",
                                "%S %b %f %a %c %d",
                                entry.mountPoint().toString()))
                .then(Measurer::read);
    }

    private static Outcome<Statistics.Usage> read(CommandResult result) {
        Matcher numbers = NUMBERS.matcher(result.standardOutput().strip());
        if (!result.succeeded() || !numbers.matches()) {
            return Outcome.deferred("cannot be measured: " + result.complaint());
        }
        long[] value = new long[6];
        for (int i = 0; i < 6; i++) {
            String digits = numbers.group(i + 1);
            // servers without a limit report the largest number there is
            value[i] = digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
        }
        return Outcome.done(new Statistics.Usage(
                bytes(value[0], value[1]),
                bytes(value[0], Math.max(0, value[1] - value[2])),
                bytes(value[0], value[3]),
                value[4],
                value[5]));
    }

    private static long bytes(long size, long blocks) {
        return blocks != 0 && size > Long.MAX_VALUE / blocks ? Long.MAX_VALUE : size * blocks;
    }

    /** Whether the mounts of an export on this machine are in order. */
    Outcome<Health.Condition> condition(Export export) {
        return context.host()
                .mounts()
                .table()
                .then(table -> table.entries().stream()
                        .filter(entry -> ExportMount.shows(entry, export))
                        .map(entry -> condition(export, entry))
                        .filter(found ->
                                !found.result().filter(seen -> !seen.abnormal()).isPresent())
                        .findFirst()
                        .orElseGet(() -> Outcome.done(new Health.Condition(false, ""))));
    }

    private Outcome<Health.Condition> condition(Export export, MountEntry entry) {
        // of the file system: that is always asked of the server and never answered from a cache
        Outcome<CommandResult> asked = probe.ask(
                export.server(), List.of("-f", "-c", "%T", entry.mountPoint().toString()));
        return asked.map(done -> judge(entry, done))
                .recoverDeferred(
                        deferred -> Outcome.done(new Health.Condition(true, "Unresponsive: " + deferred.why())));
    }

    private static Health.Condition judge(MountEntry entry, CommandResult result) {
        if (result.succeeded()) {
            return new Health.Condition(false, "");
        }
        boolean stale = result.complaint().contains(STALE);
        return new Health.Condition(
                true,
                (stale ? "VolumeStale: the server forgot the export; only a new pod gets a fresh mount: " : "")
                        + entry.mountPoint() + ": " + result.complaint());
    }
}
