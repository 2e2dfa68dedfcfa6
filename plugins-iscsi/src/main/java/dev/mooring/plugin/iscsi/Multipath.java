// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Maps over several paths (semantics/plugins §1.7, §3.5 step 12, §3.6 step 6). */
final class Multipath {
    private static final Duration APPEARANCE = Duration.ofSeconds(10);
    private static final Duration NEWS = Duration.ofSeconds(5);
    private static final Duration FLUSH = Duration.ofSeconds(30);

    private final IscsiCall call;

    Multipath(IscsiCall call) {
        this.call = call;
    }

    /** What is to be used: the map over the paths, or else one path. */
    Outcome<BlockDevice> choose(List<BlockDevice> paths, Settings.Wanted wanted) {
        BlockDevice first = paths.get(0);
        if (wanted == Settings.Wanted.OFF) {
            return map(paths)
                    .then(map -> map.isEmpty()
                            ? Outcome.done(first)
                            : Outcome.refused(
                                    Refusal.IN_USE,
                                    "multipathd has taken " + first.path()
                                            + " although multipath is off for the volume"));
        }
        return expected(paths)
                .then(expected -> call.await(expected ? APPEARANCE : Duration.ZERO, () -> map(paths)))
                .then(map -> map.map(Outcome::done).orElseGet(() -> without(paths, wanted)));
    }

    private Outcome<BlockDevice> without(List<BlockDevice> paths, Settings.Wanted wanted) {
        if (wanted == Settings.Wanted.REQUIRE) {
            return Outcome.deferred("no multipath map over " + paths.get(0).path() + " appears");
        }
        if (paths.size() > 1) {
            call.context()
                    .report(Notice.warning(
                            "MultipathMissing",
                            "the volume has " + paths.size() + " paths and no multipath map, so only "
                                    + paths.get(0).path() + " is used; configure multipathd"));
        }
        return Outcome.done(paths.get(0));
    }

    private Outcome<Optional<BlockDevice>> map(List<BlockDevice> paths) {
        return Steps.first(paths, path -> call.host().blockDevices().multipathMap(path));
    }

    /** Whether a map is worth waiting for: multipathd runs, and would make one for these paths. */
    private Outcome<Boolean> expected(List<BlockDevice> paths) {
        if (call.host().processes().locate("multipathd").isEmpty()) {
            return Outcome.done(false);
        }
        return query("multipathd", "show", "daemon").then(daemon -> {
            // such as "pid 7 idle"
            boolean runs = daemon.succeeded() && daemon.standardOutput().startsWith("pid ");
            return runs && paths.size() == 1 ? wanted(paths.get(0)) : Outcome.done(runs);
        });
    }

    /**
     * Whether multipathd makes a map over this one path. By the tool a disk that is new to this node is none of its own until the daemon
     * has heard of it, a moment after it appeared, and has made the map: a call that asks too early would use the disk below it.
     */
    private Outcome<Boolean> wanted(BlockDevice path) {
        return call.await(NEWS, () -> heardOf(path))
                .then(heard -> query("multipath", "-c", path.path().toString()).map(CommandResult::succeeded));
    }

    /** Something once the daemon lists the path, or cannot be asked; it does so when it is done with it, map or none. */
    private Outcome<Optional<CommandResult>> heardOf(BlockDevice path) {
        return query("multipathd", "show", "paths", "raw", "format", "%d")
                .map(reply -> Optional.of(reply)
                        .filter(said -> !said.succeeded()
                                || said.standardOutput()
                                        .lines()
                                        .map(String::strip)
                                        .anyMatch(path.name()::equals)));
    }

    private Outcome<CommandResult> query(String tool, String... arguments) {
        return call.host().processes().run(call.context(), Command.query(tool, arguments));
    }

    /**
     * The map that was used and has lost its last path, by a session that another program has ended: only its name still leads to it. A
     * name may have gone to another disk's map since.
     */
    Outcome<Optional<BlockDevice>> left(Staged staged) {
        if (staged.map().isEmpty() || staged.wwid().isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        Path block = Path.of("/sys/block");
        return call.host()
                .sysfs()
                .list(block)
                .then(names -> Steps.collect(
                        names.stream().filter(name -> name.startsWith("dm-")).toList(),
                        name -> call.host()
                                .sysfs()
                                .read(block.resolve(name).resolve("dm/name"))
                                .map(found -> found.filter(staged.map()::equals).map(same -> name))))
                .then(found -> Steps.first(
                        found.stream().flatMap(Optional::stream).toList(),
                        name -> call.host().blockDevices().named(name).ifFound()))
                .map(map -> map.filter(
                        device -> device.wwid().filter(staged.wwid()::equals).isPresent()));
    }

    /** The name that tools know a map by. */
    Outcome<String> name(BlockDevice map) {
        return call.host()
                .sysfs()
                .read(Path.of("/sys/block", map.name(), "dm/name"))
                .map(name -> name.orElse(map.name()));
    }

    /**
     * Takes the map away. If that fails, the paths have to stay: a map that queues without paths blocks its readers for ever (#97014).
     */
    Outcome<Nothing> flush(BlockDevice map) {
        return name(map).then(name -> remove(name).then(gone -> gone ? Outcome.done() : unqueue(name)));
    }

    private Outcome<Boolean> remove(String name) {
        return call.host()
                .processes()
                .run(call.context(), Command.change(name, FLUSH, "multipath", List.of("-f", name)))
                .map(CommandResult::succeeded);
    }

    private Outcome<Nothing> unqueue(String name) {
        return query("dmsetup", "info", "-c", "--noheadings", "-o", "open", name)
                .then(info -> {
                    String open = info.standardOutput().strip();
                    if (info.succeeded() && !open.equals("0")) {
                        return Outcome.refused(Refusal.IN_USE, "the map " + name + " is open " + open + " times");
                    }
                    return call.host()
                            .processes()
                            .run(
                                    call.context(),
                                    Command.change(
                                            name, FLUSH, "dmsetup", List.of("message", name, "0", "fail_if_no_path")))
                            .then(nothing -> remove(name))
                            .then(gone -> gone
                                    ? Outcome.done()
                                    : Outcome.uncertain("the map " + name + " does not go; its paths are kept"));
                });
    }
}
