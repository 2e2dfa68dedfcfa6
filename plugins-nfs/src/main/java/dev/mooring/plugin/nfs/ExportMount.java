// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Mounts an export (semantics/plugins §2.3 steps 1–5). What is mounted is read from the table before and after; the tool's answer only
 * gives the reason where nothing is. Every step may be repeated after a crash.
 */
final class ExportMount {
    private static final String TOOL = "mount.nfs";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** What is left of the call for ending the tool, looking and undoing. */
    private static final Duration RESERVE = Duration.ofSeconds(10);

    private final OperationContext context;
    private final Servers servers;
    private final Connector connector;

    ExportMount(OperationContext context, Servers servers, Connector connector) {
        this.context = context;
        this.servers = servers;
        this.connector = connector;
    }

    /** Whether a mount is one of this export. */
    static boolean shows(MountEntry entry, Export export) {
        return Mounted.isNfs(entry)
                && NfsSources.parse(entry.source()).filter(export::equals).isPresent();
    }

    /**
     * Mounts, if it is not mounted yet.
     *
     * @param inUse whether a pod may already be using what is mounted there: then it is not touched
     */
    Outcome<MountEntry> mount(Export export, Path place, NfsMountOptions options, boolean inUse) {
        return MountTarget.of(context, place).then(target -> {
            try (target) {
                return target.mounted()
                        .then(there -> there.isPresent()
                                ? keep(export, target, there.get(), options, inUse)
                                : mountNew(export, target, options));
            }
        });
    }

    private Outcome<MountEntry> keep(
            Export export, MountTarget target, MountEntry entry, NfsMountOptions options, boolean inUse) {
        if (!shows(entry, export)) {
            return foreign(entry);
        }
        List<String> conflicts = new EffectiveOptions(options, entry).conflicts();
        if (conflicts.isEmpty()) {
            return Outcome.done(entry);
        }
        // never a remount behind a pod's back; but a mount that an interrupted attempt with other options left is
        // unused
        return inUse
                ? incompatible(entry, conflicts)
                : unmount(target, entry).then(nothing -> mountNew(export, target, options));
    }

    private static <T> Outcome<T> foreign(MountEntry entry) {
        return Outcome.refused(Refusal.IN_USE, "something else is mounted in the volume's place: " + entry);
    }

    private static <T> Outcome<T> incompatible(MountEntry entry, List<String> conflicts) {
        return Outcome.refused(
                Refusal.INCOMPATIBLE,
                "the options asked for were not given to " + entry + ": " + String.join(", ", conflicts));
    }

    private Outcome<MountEntry> mountNew(Export export, MountTarget target, NfsMountOptions options) {
        Optional<String> unreachable = connector.whyNotReachable(export.server(), options);
        if (unreachable.isPresent()) {
            servers.silent(export.server(), context.clock().instant());
            return Outcome.deferred("server " + export.server() + " cannot be reached: " + unreachable.get());
        }
        return target.make()
                .then(nothing ->
                        started(target, context.host().processes().run(context, command(export, target, options))))
                .then(result -> observe(export, target, options, result));
    }

    /** If the tool was not started, nothing changed, so the directory made for it may not stay. */
    private static Outcome<CommandResult> started(MountTarget target, Outcome<CommandResult> run) {
        return run.isWithoutEffect() ? withoutDirectory(target, run) : run;
    }

    /** Removes a directory on which nothing was mounted. A directory that holds something is not ours and stays. */
    private static <T> Outcome<T> withoutDirectory(MountTarget target, Outcome<T> answer) {
        Outcome<Nothing> removed = target.remove();
        return removed.isDone() || removed.isRefused()
                ? answer
                : Outcome.uncertain(answer.message() + "; " + removed.message());
    }

    private Command command(Export export, MountTarget target, NfsMountOptions options) {
        Duration left =
                Duration.between(context.clock().instant(), context.deadline()).minus(RESERVE);
        Duration limit = left.compareTo(LIMIT) < 0 ? left : LIMIT;
        return Command.change(
                "mount point " + target.path(),
                limit.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : limit,
                TOOL,
                List.of(export.source(), target.path().toString(), "-n", "-o", options.joined()));
    }

    private Outcome<MountEntry> observe(
            Export export, MountTarget target, NfsMountOptions options, CommandResult result) {
        return target.mounted()
                // a late success shows in a second look
                .then(first -> first.isPresent() ? Outcome.done(first) : target.mounted())
                .then(entry -> entry.isPresent()
                        ? verify(export, target, entry.get(), options)
                        : notMounted(export, target, result));
    }

    private Outcome<MountEntry> verify(Export export, MountTarget target, MountEntry entry, NfsMountOptions options) {
        if (!shows(entry, export)) {
            return foreign(entry);
        }
        servers.answered(export.server());
        EffectiveOptions effective = new EffectiveOptions(options, entry);
        if (!effective.conflicts().isEmpty()) {
            Outcome<Nothing> unmounted = unmount(target, entry);
            return unmounted.isDone()
                    ? incompatible(entry, effective.conflicts())
                    : Outcome.uncertain("mounted with other options than asked for, and not unmounted again: "
                            + unmounted.message());
        }
        List<String> differences = effective.differences();
        if (!differences.isEmpty()) {
            context.report(Notice.warning(
                    "OtherMountOptions",
                    "mounted with other options than asked for: " + String.join(", ", differences)));
        }
        return Outcome.done(entry);
    }

    private Outcome<MountEntry> notMounted(Export export, MountTarget target, CommandResult result) {
        List<String> names = List.of(export.source(), target.path().toString());
        boolean maybeStarting = MountAnswer.saysUnsupported(result, names)
                && servers.maybeStarting(export.server(), context.clock().instant());
        if (result.ending() != CommandResult.Ending.EXITED) {
            servers.silent(export.server(), context.clock().instant());
        }
        Outcome<MountEntry> answer = MountAnswer.judge(result, names, maybeStarting);
        boolean settled = !answer.isUncertain();
        return settled ? withoutDirectory(target, answer) : answer;
    }

    private Outcome<Nothing> unmount(MountTarget target, MountEntry entry) {
        return context.host()
                .mounts()
                .unmount(context, target.path(), MountExpectation.of(entry, false), UnmountForce.NONE);
    }
}
