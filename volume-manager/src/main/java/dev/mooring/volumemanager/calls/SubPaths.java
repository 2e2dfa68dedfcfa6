// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import dev.mooring.volumemanager.look.BoundedLooks;
import dev.mooring.volumemanager.subpath.SubPathMount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows parts of a published volume at {@code volume-subpaths/<volume>/<container>/<index>} in the pod's directory (semantics/
 * attach-and-mount §3.15). What a path in the volume means is decided by the kernel in one step, confined to the volume; the object that
 * was found is held, and that very object is bound. So a container that exchanges directories and links meanwhile gains nothing.
 *
 * <p>The volume may be on a server that does not answer. So the way through it is looked for in a thread of its own and for a limited time
 * ({@link BoundedLooks}); what was found is bound without asking the server, and what is undone is not looked at.
 *
 * <p>What has to be undone is derived from the directory and the mount table: no record is needed.
 */
final class SubPaths {
    private static final String DIRECTORY = "volume-subpaths";
    private static final int DIRECTORY_MODE = 0750;
    private static final int MAX_NAMES = 10_000;
    /** A server that has not answered in that time holds up the pod, which gets an event, but no longer this call. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** The way through a volume takes a moment only, so others of its server soon have their turn. */
    static final Duration TURN = Duration.ofSeconds(5);
    /** What is below the pod's own directory is the host's; whatever is mounted there was mounted by it. */
    private static final MountExpectation OURS =
            MountExpectationBuilder.builder().build();

    private final OperationContext context;
    private final BoundedLooks looks;
    private final String volume;
    private final Path podDirectory;
    private final Path base;

    /**
     * The sub-paths of one volume of one pod.
     *
     * @param looks shared by all volumes of the node
     * @param podDirectory {@code <root>/pods/<uid>}
     * @param volume the last element of the volume's target
     */
    SubPaths(OperationContext context, BoundedLooks looks, Path podDirectory, String volume) {
        this.context = context;
        this.looks = looks;
        this.volume = volume;
        this.podDirectory = podDirectory;
        this.base = podDirectory.resolve(DIRECTORY).resolve(volume);
    }

    /**
     * Shows all of them; may be repeated. A bind that shows something else than the path means now is replaced.
     *
     * @param target where the volume is published
     * @return DENIED for a path that leads out of the volume; UNSUPPORTED where the kernel cannot confine a path
     */
    Outcome<Nothing> publish(Path target, List<SubPathMount> mounts) {
        if (mounts.isEmpty()) {
            return Outcome.done();
        }
        Optional<String> missing = context.host().capabilities().whyMissing(HostFeature.RESOLVE_RULES);
        if (missing.isPresent()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "subPath: " + missing.get());
        }
        return context.host().mounts().table().then(table -> {
            String dependency = dependency(table, target);
            Outcome<Nothing> shown = Outcome.done();
            for (SubPathMount mount : mounts) {
                shown = shown.then(done -> publish(dependency, target, mount));
            }
            return shown;
        });
    }

    /**
     * All of a server hangs together. A directory of a device may lead into a mount below it, so it hangs alone, for all pods that have it: a
     * dead mount there costs one thread, however often the pod is made again.
     */
    static String dependency(MountTable table, Path target) {
        return table.top(target)
                .map(mount -> BoundedLooks.server(mount).isPresent()
                        ? BoundedLooks.dependency(mount)
                        : "device " + mount.device() + " at " + mount.root())
                .orElseGet(() -> "the file system at " + target);
    }

    private Outcome<Nothing> publish(String dependency, Path target, SubPathMount mount) {
        Outcome<PinnedPath> looked = looks.look(
                dependency,
                TURN,
                () -> patience(context),
                wanted -> find(target, mount.subPath(), wanted),
                PinnedPath::close);
        Outcome<PinnedPath> found = looked.recoverDeferred(deferred -> Outcome.deferred(
                "subPath \"" + mount.subPath() + "\" of volume \"" + volume + "\": " + deferred.why()));
        return found.then(path -> {
            try (path) {
                return show(path, mount);
            }
        });
    }

    static Duration patience(OperationContext context) {
        Duration left = Duration.between(context.clock().instant(), context.deadline());
        return left.compareTo(PATIENCE) < 0 ? left : PATIENCE;
    }

    private Outcome<PinnedPath> find(Path target, String subPath, BooleanSupplier wanted) {
        Outcome<PinnedPath> opened = context.host().files().open(target, LinkRule.FOLLOW);
        List<String> elements = elements(subPath);
        return elements.isEmpty() // "." is the volume itself
                ? opened
                : opened.then(found -> {
                    try (found) {
                        return find(found, elements, wanted);
                    }
                });
    }

    private Outcome<Nothing> show(PinnedPath found, SubPathMount mount) {
        Path directory = base.resolve(mount.container());
        return context.host()
                .files()
                .openOrMake(directory, LinkRule.FOLLOW, FileKind.DIRECTORY, DIRECTORY_MODE)
                .then(made -> {
                    made.path().close();
                    return bind(found, directory.resolve(Integer.toString(mount.index())), mount);
                });
    }

    private Outcome<Nothing> bind(PinnedPath found, Path place, SubPathMount mount) {
        BindOptions options = BindOptions.PLAIN.readOnly(mount.readOnly());
        Outcome<MountEntry> bound = context.host().mounts().bind(found, place, options);
        if (bound.isRefused(Refusal.IN_USE) || bound.isRefused(Refusal.INCOMPATIBLE)) {
            bound = context.host()
                    .mounts()
                    .unmount(context, place, OURS, UnmountForce.NONE)
                    .then(gone -> context.host().mounts().bind(found, place, options));
        }
        return bound.map(entry -> Nothing.NOTHING);
    }

    // ---- the way through the volume ----

    private static List<String> elements(String subPath) {
        return Stream.of(subPath.split("/", -1))
                .filter(element -> !element.isEmpty() && !element.equals("."))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static Outcome<PinnedPath> find(PinnedPath volume, List<String> elements, BooleanSupplier wanted) {
        Outcome<PinnedPath> found = volume.within(String.join("/", elements));
        return found.isRefused(Refusal.NOT_FOUND)
                ? volume.facts().then(facts -> make(volume, elements, facts, wanted))
                : found;
    }

    /** Makes what is missing, with the volume's mode, one element below the other; a link in such a place is refused. */
    private static Outcome<PinnedPath> make(
            PinnedPath volume, List<String> elements, FileFacts root, BooleanSupplier wanted) {
        int mode = root.mode() & 02777;
        int there = elements.size() - 1;
        Outcome<PinnedPath> prefix = Outcome.refused(Refusal.NOT_FOUND, "");
        while (there > 0 && prefix.isRefused(Refusal.NOT_FOUND)) {
            prefix = volume.within(String.join("/", elements.subList(0, there)));
            there--;
        }
        boolean fromRoot = prefix.isRefused(Refusal.NOT_FOUND);
        int next = fromRoot ? 0 : there + 1;
        Outcome<PinnedPath> here = fromRoot ? makeIn(volume, elements.get(next++), mode, wanted) : prefix;
        for (String element : elements.subList(next, elements.size())) {
            here = here.then(above -> {
                try (above) {
                    return makeIn(above, element, mode, wanted);
                }
            });
        }
        return here;
    }

    /** The volume may be another pod's, or empty and unmounted, by the time that a server answers again. */
    private static Outcome<PinnedPath> makeIn(PinnedPath directory, String name, int mode, BooleanSupplier wanted) {
        return wanted.getAsBoolean()
                ? directory.makeDirectory(name, mode).map(made -> made.path())
                : Outcome.deferred("the answer came too late");
    }

    // ---- undoing ----

    /** Takes all of them away, whatever they show; done if there are none. Nothing that is shown is touched, not even looked at. */
    Outcome<Nothing> unpublish() {
        Outcome<PinnedPath> opened = context.host().files().open(base, LinkRule.FOLLOW);
        if (opened.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done();
        }
        return opened.then(directory -> {
                    try (directory) {
                        return each(directory, name -> unpublish(directory, name));
                    }
                })
                .then(done -> removeDirectories());
    }

    private Outcome<Nothing> unpublish(PinnedPath volume, String container) {
        return volume.child(container)
                .then(directory -> {
                    try (directory) {
                        return each(
                                directory,
                                index -> context.host()
                                        .mounts()
                                        .unmount(
                                                context,
                                                base.resolve(container).resolve(index),
                                                OURS,
                                                UnmountForce.NONE));
                    }
                })
                .then(done -> volume.removeDirectory(container));
    }

    private static Outcome<Nothing> each(PinnedPath directory, Function<String, Outcome<Nothing>> action) {
        return directory.list(MAX_NAMES).then(names -> {
            Outcome<Nothing> all = Outcome.done();
            for (String name : names) {
                all = all.then(done -> action.apply(name));
            }
            return all;
        });
    }

    private Outcome<Nothing> removeDirectories() {
        return context.host().files().open(podDirectory, LinkRule.FOLLOW).then(pod -> {
            try (pod) {
                return pod.child(DIRECTORY)
                        .then(directory -> {
                            try (directory) {
                                return directory.removeDirectory(String.valueOf(base.getFileName()));
                            }
                        })
                        .then(done -> {
                            Outcome<Nothing> removed = pod.removeDirectory(DIRECTORY);
                            // other volumes of the pod have sub-paths too
                            return removed.isRefused(Refusal.IN_USE) ? Outcome.done() : removed;
                        });
            }
        });
    }
}
