// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import dev.mooring.volumemanager.Unnamed;
import dev.mooring.volumemanager.mount.RecordedMounts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the host looks at and tidies up by itself. Thread-safe. */
record HostWork(Path root, PluginRegistry plugins, HostServices host) {
    private static final int MOST_NAMES = 10_000;
    private static final Duration MEASURING = Duration.ofSeconds(100);
    /** Where counting took too long it is not begun again for so long. */
    private static final Duration TOO_LONG_REST = MEASURING.multipliedBy(20);

    private static final Pattern COUNTED = Pattern.compile("(\\d{1,15})\\s");
    private static final long KIB = 1024;

    /** How many levels of directories below each of these are the host's own; deeper ones are users' data. */
    private static final Map<String, Integer> OWN_LEVELS =
            Map.of("volumes", 2, "volumeDevices", 1, "volume-subpaths", 3, "plugins", 2);

    Outcome<?> perform(OperationContext context, HostCall call) {
        if (call instanceof VerifyCall verify) {
            return verify(verify.record());
        }
        if (call instanceof TakeAwayCall takeAway) {
            return takeAway(context, takeAway.unnamed());
        }
        if (call instanceof MeasureCall measure) {
            return measure(context, measure.directory());
        }
        return clean((CleanPodsCall) call);
    }

    // ---- what an earlier process mounted ----

    private Outcome<Boolean> verify(RecordEntry record) {
        Optional<Path> mounted = record.match(
                publish -> RecordedMounts.mount(plugins, publish),
                stage -> RecordedMounts.mount(plugins, stage).filter(path -> stage.mode() == VolumeMode.FILESYSTEM));
        return mounted.isEmpty()
                ? Outcome.done(true)
                : host.mounts().table().map(table -> !table.at(mounted.get()).isEmpty());
    }

    // ---- how much empty directories hold ----

    private Outcome<MeasureCall.Answer> measure(OperationContext context, Path directory) {
        Command command =
                Command.query("du", "-s", "-k", "-x", directory.toString()).withLimit(MEASURING, Command.AtLimit.KILL);
        return host.mounts()
                .table()
                .then(table ->
                        table.at(directory).isEmpty() && table.below(directory).isEmpty()
                                ? counted(context, command)
                                : Outcome.refused(Refusal.IN_USE, "something is mounted in " + directory));
    }

    private Outcome<MeasureCall.Answer> counted(OperationContext context, Command command) {
        Instant began = context.clock().instant();
        return host.processes().run(context, command).then(result -> {
            Duration took = Duration.between(began, context.clock().instant());
            return bytes(result).map(bytes -> new MeasureCall.Answer(bytes, began, took));
        });
    }

    /** Files that go while it counts make it complain, and are not counted. */
    private static Outcome<Long> bytes(CommandResult result) {
        if (result.ending() != CommandResult.Ending.EXITED) {
            return Outcome.deferred("the files were not counted within " + MEASURING.toSeconds() + " s", TOO_LONG_REST);
        }
        Matcher counted = COUNTED.matcher(result.standardOutput());
        return counted.lookingAt()
                ? Outcome.done(Long.parseLong(counted.group(1)) * KIB)
                : Outcome.deferred("the files could not be counted: " + result.complaint());
    }

    // ---- what no object names any more ----

    /** It is looked at again: what has become the only view of something stays. */
    private Outcome<Nothing> takeAway(OperationContext context, Unnamed unnamed) {
        Path place = unnamed.mount().mountPoint();
        return host.mounts().table().then(table -> {
            if (!table.at(place).contains(unnamed.mount())) {
                return Outcome.done();
            }
            return unnamed.isFurtherView(table, root)
                    ? takeAway(context, unnamed, place)
                    : Outcome.refused(Refusal.IN_USE, "it is now the only mount that shows its content");
        });
    }

    private Outcome<Nothing> takeAway(OperationContext context, Unnamed unnamed, Path place) {
        Outcome<Nothing> released = unnamed.device() ? host.blockDevices().detachLoop(context, place) : Outcome.done();
        return released.then(free -> host.mounts()
                        .unmount(context, place, MountExpectation.of(unnamed.mount(), false), UnmountForce.NONE))
                .then(gone -> new HostDirectories(host.files(), root)
                        .removeEmpty(Optional.ofNullable(place.getParent()).orElse(place)));
    }

    // ---- what pods have left ----

    private Outcome<CleanPodsCall.Answer> clean(CleanPodsCall call) {
        Path pods = root.resolve("pods");
        Outcome<MountTable> mounted = call.only()
                .map(uid -> host.mounts().mountedIn(pods.resolve(uid)))
                .orElseGet(() -> host.mounts().table());
        return mounted.then(found -> {
            Outcome<PinnedPath> opened =
                    host.files().open(root, LinkRule.FOLLOW).then(HostWork::pods);
            return opened.isRefused(Refusal.NOT_FOUND)
                    ? Outcome.done(CleanPodsCall.Answer.CLEAN)
                    : opened.then(directory -> clean(call, pods, directory, found));
        });
    }

    private static Outcome<PinnedPath> pods(PinnedPath root) {
        try (root) {
            return root.child("pods");
        }
    }

    private static Outcome<CleanPodsCall.Answer> clean(
            CleanPodsCall call, Path path, PinnedPath directory, MountTable mounted) {
        try (directory) {
            Outcome<List<String>> names =
                    call.only().isPresent() ? Outcome.done(List.of(call.only().get())) : directory.list(MOST_NAMES);
            return names.map(uids -> {
                List<String> left = new ArrayList<>();
                for (String uid : uids) {
                    if (!call.known().contains(uid)) {
                        hindrance(directory, path.resolve(uid), uid, mounted).ifPresent(left::add);
                    }
                }
                return new CleanPodsCall.Answer(left);
            });
        }
    }

    /**
     * Removes a pod's directory; answers with what is in the way. No step leads into a mount, and the kernel removes no mount point,
     * whatever has been moved there meanwhile.
     */
    private static Optional<String> hindrance(PinnedPath pods, Path path, String uid, MountTable mounted) {
        if (!mounted.in(path).entries().isEmpty()) {
            return Optional.of("the directory of the unknown pod " + uid + " is kept: something is mounted there");
        }
        Outcome<PinnedPath> opened = pods.child(uid);
        if (opened.isRefused(Refusal.NOT_FOUND)) {
            return Optional.empty();
        }
        opened.result().ifPresent(directory -> {
            try (directory) {
                directory.list(MOST_NAMES).result().orElse(List.of()).stream()
                        .filter(OWN_LEVELS::containsKey)
                        .forEach(name -> removeEmpty(directory, name, OWN_LEVELS.getOrDefault(name, 0)));
            }
        });
        Outcome<Nothing> removed = opened.then(directory -> pods.removeDirectory(uid));
        return removed.isDone()
                ? Optional.empty()
                : Optional.of("the directory of the unknown pod " + uid + " is kept: " + removed.message());
    }

    /** Empty directories of the host's own levels, from below; what is not empty, no directory or a mount stays. */
    private static void removeEmpty(PinnedPath parent, String name, int levels) {
        if (levels > 0) {
            parent.child(name).result().ifPresent(directory -> {
                try (directory) {
                    directory
                            .list(MOST_NAMES)
                            .result()
                            .orElse(List.of())
                            .forEach(below -> removeEmpty(directory, below, levels - 1));
                }
            });
        }
        parent.removeDirectory(name);
    }
}
