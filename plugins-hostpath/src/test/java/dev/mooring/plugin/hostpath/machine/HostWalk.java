// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.machine;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import dev.mooring.storage.spi.host.UnmountForce;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.host.PlainCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Operations of a host that a seed decides, below one directory. Each answer becomes a line in which nothing of the machine stands: no
 * numbers, no times, no path above the directory. So two machines that behave alike give the same lines.
 */
final class HostWalk {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int LIMIT = 100;

    private final HostServices host;
    private final Path base;
    private final Random random;
    private final boolean mounts;
    private final List<String> lines = new ArrayList<>();
    private final MountEntry ground;

    /**
     * A walk that has not begun.
     *
     * @param mounts whether it mounts too, which takes root on a real machine
     */
    HostWalk(Machine machine, long seed, boolean mounts) {
        this.host = machine.host();
        this.base = machine.directory().resolve("walk");
        this.random = new Random(seed);
        this.mounts = mounts;
        host.files()
                .openOrMake(base, LinkRule.REFUSE, FileKind.DIRECTORY, 0755)
                .result()
                .orElseThrow()
                .path()
                .close();
        this.ground = with(base, held -> host.mounts().entryOf(held)).result().orElseThrow();
    }

    /** Takes steps, and says what came of each and what is there in the end. */
    List<String> take(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
        lines.add("at the end: " + state());
        return lines;
    }

    /** Takes away what is mounted. */
    void end() {
        List<MountEntry> left = table();
        for (int i = left.size() - 1; i >= 0; i--) {
            MountEntry entry = left.get(i);
            host.mounts()
                    .unmount(new Call(host), entry.mountPoint(), MountExpectation.of(entry, true), UnmountForce.NONE);
        }
    }

    private List<MountEntry> table() {
        return host.mounts().table().result().orElseThrow().in(base).entries();
    }

    private Path path() {
        Path path = base.resolve(name());
        return random.nextInt(3) == 0 ? path.resolve(name()) : path;
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private void step() {
        int kind = random.nextInt(mounts ? 21 : 15);
        Path first = path();
        Path second = path();
        String name = name();
        LinkRule links = random.nextBoolean() ? LinkRule.REFUSE : LinkRule.FOLLOW;
        switch (kind) {
            case 0 -> say("open " + in(first) + " " + links, host.files().open(first, links), this::closed);
            case 1, 2 -> {
                FileKind wanted = random.nextInt(3) == 0 ? FileKind.FILE : FileKind.DIRECTORY;
                say(
                        "openOrMake " + in(first) + " " + links + " " + wanted,
                        host.files().openOrMake(first, links, wanted, 0750),
                        made -> made.isNew() + " " + closed(made.path()));
            }
            case 3 -> {
                String way = random.nextBoolean() ? name : name + "/" + name();
                say("child " + way + " of " + in(first), with(first, held -> held.child(way)), this::closed);
            }
            case 4 -> {
                String way = random.nextBoolean() ? name : name + "/" + name();
                say("within " + way + " of " + in(first), with(first, held -> held.within(way)), this::closed);
            }
            case 5 -> {
                String target = List.of(
                                name(),
                                "../" + name(),
                                "missing",
                                base.resolve(name()).toString())
                        .get(random.nextInt(4));
                say(
                        "link " + name + " to " + target.replace(base.toString(), "") + " in " + in(first),
                        with(first, held -> held.makeSymbolicLink(name, target)),
                        String::valueOf);
            }
            case 6 ->
                say(
                        "readLink " + name + " of " + in(first),
                        with(first, held -> held.readLink(name)),
                        text -> text.map(target -> target.replace(base.toString(), ""))
                                .toString());
            case 7 -> {
                String newName = name();
                say(
                        "replace " + name + " " + newName + " in " + in(first),
                        with(first, held -> held.replace(name, newName)),
                        String::valueOf);
            }
            case 8 -> {
                String newName = name();
                say(
                        "rename " + name + " in " + in(first) + " to " + newName + " in " + in(second),
                        with(first, held -> with(second, parent -> held.rename(name, parent, newName))),
                        String::valueOf);
            }
            case 9 ->
                say(
                        "makeDirectory " + name + " in " + in(first),
                        with(first, held -> held.makeDirectory(name, 0700)),
                        made -> made.isNew() + " " + closed(made.path()));
            case 10 -> {
                int limit = random.nextInt(3);
                say("list " + in(first) + " " + limit, with(first, held -> held.list(limit)), String::valueOf);
            }
            case 11 -> {
                int limit = 1 + random.nextInt(8);
                say(
                        "readFile " + name + " in " + in(first) + " " + limit,
                        with(first, held -> held.readFile(name, limit)),
                        content -> content.map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                                .toString());
            }
            case 12 -> {
                byte[] content = "x".repeat(random.nextInt(8)).getBytes(StandardCharsets.UTF_8);
                say(
                        "writeFile " + name + " in " + in(first) + " " + content.length,
                        with(first, held -> held.writeFile(name, content, 0640)),
                        String::valueOf);
            }
            case 13 ->
                say(
                        "removeFile " + name + " in " + in(first),
                        with(first, held -> held.removeFile(name)),
                        String::valueOf);
            case 14 ->
                say(
                        "removeDirectory " + name + " in " + in(first),
                        with(first, held -> held.removeDirectory(name)),
                        String::valueOf);
            case 15, 16 -> {
                if (covers(second)) {
                    return;
                }
                BindOptions options =
                        (random.nextBoolean() ? BindOptions.PLAIN : BindOptions.TREE).readOnly(random.nextInt(3) == 0);
                say(
                        "bind " + in(first) + " at " + in(second) + (options.readOnly() ? " ro" : "")
                                + (options.recursive() ? " tree" : ""),
                        with(first, held -> host.mounts().bind(held, second, options)),
                        this::entry);
            }
            case 17 -> {
                if (!covers(first)) {
                    say(
                            "mount at " + in(first),
                            host.mounts()
                                    .mount(new Call(host), first, new MountRequest("walk", "tmpfs", List.of(), false)),
                            this::entry);
                }
            }
            case 18, 19 -> unmount(first);
            default ->
                say(
                        "empty " + in(first),
                        with(
                                first,
                                held -> held.facts()
                                        .then(facts -> host.files()
                                                .empty(new Call(host), held, TreeRules.all(facts.identity())))),
                        String::valueOf);
        }
    }

    /** Whether a mount at a place hides other mounts. This is not tried: no plugin is given such a place. */
    private boolean covers(Path target) {
        return !host.mounts().table().result().orElseThrow().below(target).isEmpty();
    }

    private void unmount(Path target) {
        List<MountEntry> all = table();
        Path aim = all.isEmpty() || random.nextInt(4) == 0
                ? target
                : all.get(random.nextInt(all.size())).mountPoint();
        boolean tree = random.nextBoolean();
        MountExpectation expected = all.stream()
                .filter(entry -> entry.mountPoint().equals(aim))
                .reduce((one, other) -> other)
                .map(entry -> MountExpectation.of(entry, tree))
                .orElse(MountExpectation.nothing());
        say(
                "unmount " + in(aim) + (tree ? " tree" : ""),
                host.mounts().unmount(new Call(host), aim, expected, UnmountForce.NONE),
                String::valueOf);
    }

    private <T> Outcome<T> with(Path path, Function<PinnedPath, Outcome<T>> action) {
        return host.files().open(path, LinkRule.FOLLOW).then(held -> {
            try (held) {
                return action.apply(held);
            }
        });
    }

    private <T> void say(String what, Outcome<T> outcome, Function<T, String> text) {
        lines.add(what + ": "
                + outcome.match(
                        done -> "done " + text.apply(done.value()),
                        refused -> "refused " + refused.refusal(),
                        uncertain -> "uncertain",
                        deferred -> "deferred",
                        elsewhere -> "elsewhere"));
    }

    private String in(Path path) {
        return base.relativize(path).toString();
    }

    private String closed(PinnedPath held) {
        try (held) {
            return held.facts().map(this::facts).result().orElse("?") + " "
                    + held.resolved().map(this::in).result().orElse("?");
        }
    }

    /** Sizes of directories are the file system's own. */
    private String facts(FileFacts facts) {
        return facts.kind() + " " + Integer.toOctalString(facts.mode())
                + (facts.kind() == FileKind.FILE ? " " + facts.size() : "");
    }

    private String entry(MountEntry entry) {
        return entry(entry, true);
    }

    /** What is shown may have been moved or put aside meanwhile, to where each machine likes. */
    private String entry(MountEntry entry, boolean withRoot) {
        boolean sameSystem = entry.device().equals(ground.device());
        String root = sameSystem ? entry.root().replaceFirst(".*/walk(?=/|$)", "walk") : entry.root();
        return (sameSystem ? "the ground's" : entry.source() + " " + entry.fsType())
                + (withRoot ? " " + root : "")
                + (sameSystem
                                && !(entry.source().equals(ground.source())
                                        && entry.fsType().equals(ground.fsType()))
                        ? " under a strange name"
                        : "")
                + " on " + in(entry.mountPoint()) + (entry.options().contains("ro") ? " ro" : " rw");
    }

    private String state() {
        List<String> found = new ArrayList<>();
        look(base, 0, found);
        return table().stream()
                        .map(entry -> entry(entry, false))
                        .sorted()
                        .collect(Collectors.joining(", ", "mounts [", "], "))
                + "files " + found;
    }

    private void look(Path directory, int depth, List<String> found) {
        List<String> names = with(directory, held -> held.list(LIMIT)).result().orElse(List.of());
        for (String name : names) {
            Path inner = directory.resolve(name);
            Optional<FileFacts> facts = host.files()
                    .open(inner, LinkRule.REFUSE)
                    .then(held -> {
                        try (held) {
                            return held.facts();
                        }
                    })
                    .result();
            found.add(in(inner) + " " + facts.map(this::facts).orElse("link"));
            if (depth < 4
                    && facts.filter(known -> known.kind() == FileKind.DIRECTORY).isPresent()) {
                look(inner, depth + 1, found);
            }
        }
    }

    /** A call with all the time that it needs. */
    private record Call(HostServices host) implements PlainCall {
        @Override
        public Instant deadline() {
            return Instant.now().plusSeconds(3600);
        }
    }
}
