// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.PathGuard;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Keeps a plugin's calls out of the places that Mooring keeps ({@link KeptPlaces}), however a path leads there. Of places that lie in each
 * other the innermost counts; what the plugin has been given (its state, the directories of the call) is a place of its own.
 */
final class PlaceGuard implements PathGuard {
    private static final Path PROC = Path.of("/proc");
    private static final Path OWN_THREADS = Path.of("/proc/self/task");
    private static final long PROC_ROOT = 1;
    private static final String WAY_OUT = "Choose another path for the volume";

    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final PlaceFinder finder;
    private final List<Path> given;

    /**
     * Makes a guard for the calls of one plugin.
     *
     * @param given directories that the plugin may use, with all below them, which do not have to exist
     */
    PlaceGuard(Kernel kernel, Supplier<Outcome<MountTable>> table, PlaceFinder finder, List<Path> given) {
        this.kernel = kernel;
        this.table = table;
        this.finder = finder;
        this.given = List.copyOf(given);
    }

    /** What is known for one question. */
    private record World(MountTable table, List<FoundPlace> kept, List<FileLocation> given) {
        FileLocation locate(FoundPlace place) {
            return FileLocation.of(place.status(), place.real(), table);
        }

        /** The innermost kept place in which a file lies, unless what the plugin was given lies as deep. */
        Optional<FoundPlace> around(FileLocation file) {
            Optional<FoundPlace> innermost = kept.stream()
                    .filter(place -> file.liesIn(locate(place)))
                    .min(Comparator.comparingInt(
                            (FoundPlace place) -> file.depthIn(locate(place)).orElse(Integer.MAX_VALUE)));
            return innermost.filter(
                    place -> depthInGiven(file) > file.depthIn(locate(place)).orElse(Integer.MAX_VALUE));
        }

        private int depthInGiven(FileLocation file) {
            return given.stream()
                    .map(file::depthIn)
                    .flatMapToInt(OptionalInt::stream)
                    .min()
                    .orElse(Integer.MAX_VALUE);
        }

        Optional<FoundPlace> below(FileLocation file) {
            return kept.stream()
                    .filter(place -> locate(place).liesIn(file))
                    .filter(place ->
                            !given.stream().anyMatch(mine -> locate(place).liesIn(mine)))
                    .findFirst();
        }
    }

    @FunctionalInterface
    private interface Question {
        Outcome<Nothing> ask(World world, FileLocation file) throws KernelException;
    }

    private Outcome<Nothing> of(Descriptor held, Question question) {
        return table.get()
                .then(mounts -> finder.existing()
                        .then(kept -> Guarded.look(() -> {
                            List<FileLocation> mine = new ArrayList<>();
                            for (Path each : given) {
                                finder.locate(each, mounts).ifPresent(mine::add);
                            }
                            FileLocation file = FileLocation.of(kernel, held, mounts);
                            return question.ask(new World(mounts, kept, mine), file);
                        })));
    }

    @Override
    public Outcome<Nothing> use(Descriptor held) {
        return of(held, (world, file) -> {
            Outcome<Nothing> process = notOwnProcess(file);
            return process.isDone()
                    ? world.around(file)
                            .filter(FoundPlace::isHidden)
                            .map(place -> refuseInside(file, place))
                            .orElse(process)
                    : process;
        });
    }

    @Override
    public Outcome<Nothing> whole(Descriptor held) {
        return of(held, (world, file) -> {
            Optional<FoundPlace> around = world.around(file);
            if (around.isPresent()) {
                return refuseInside(file, around.get());
            }
            return world.below(file).map(place -> refuseAbove(file, place)).orElseGet(Outcome::done);
        });
    }

    /** Whether a pod may have the path itself, through which it sees whatever is below it. */
    Outcome<Nothing> share(Descriptor held) {
        return use(held)
                .then(usable -> of(
                        held,
                        (world, file) -> world.kept().stream()
                                .filter(FoundPlace::isHidden)
                                .filter(place -> world.locate(place).liesIn(file))
                                .findFirst()
                                .map(place -> refuseAbove(file, place))
                                .orElseGet(Outcome::done)));
    }

    @Override
    public boolean isFree(Descriptor directory) {
        return of(directory, (world, file) -> {
                    boolean usable = notOwnProcess(file).isDone()
                            && world.around(file).filter(FoundPlace::isHidden).isEmpty()
                            && world.below(file).isEmpty();
                    return usable ? noneMissingIn(file, world.table()) : Outcome.refused(Refusal.DENIED, "");
                })
                .isDone();
    }

    private Outcome<Nothing> noneMissingIn(FileLocation directory, MountTable mounts) {
        return finder.missing()
                .then(places -> Guarded.look(() -> {
                    for (KeptPlace place : places) {
                        Path above = place.path();
                        Optional<FileLocation> there = Optional.empty();
                        while (there.isEmpty() && above.getParent() != null) {
                            above = above.getParent();
                            there = finder.locate(above, mounts);
                        }
                        if (there.filter(each -> each.liesIn(directory)).isPresent()) {
                            return Outcome.refused(Refusal.DENIED, "");
                        }
                    }
                    return Outcome.done();
                }));
    }

    @Override
    public Outcome<Nothing> entry(Descriptor directory, byte[] name) {
        Outcome<Nothing> usable = use(directory);
        if (!usable.isDone() && !leadsToGiven(directory, name)) {
            return usable;
        }
        return Guarded.look(() -> {
            try (Descriptor child = kernel.open(directory.number(), name, Kernel.O_PATH | kernel.noFollowFlag(), 0)) {
                return of(child, (world, file) -> notAPlace(world, file));
            } catch (KernelException e) {
                if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR)) {
                    return notYetMade(directory, name);
                }
                throw e;
            }
        });
    }

    private static Outcome<Nothing> notAPlace(World world, FileLocation file) {
        if (world.given().stream().anyMatch(file::liesIn)) {
            return Outcome.done();
        }
        return world.below(file).map(place -> refuseAbove(file, place)).orElseGet(Outcome::done);
    }

    /** A place is kept before it is made, so that no other program makes something of its name. */
    private Outcome<Nothing> notYetMade(Descriptor directory, byte[] name) {
        return finder.missing()
                .then(places -> Guarded.look(() -> {
                    for (KeptPlace place : places) {
                        boolean mine = given.stream().anyMatch(place.path()::startsWith);
                        if (!mine && isNext(place.path(), directory, name, true)) {
                            return Outcome.refused(
                                    Refusal.DENIED,
                                    place.path() + " is " + text(place) + ", which is about to make it. " + WAY_OUT);
                        }
                    }
                    return Outcome.done();
                }));
    }

    @Override
    public Outcome<Nothing> way(Descriptor directory, byte[] name) {
        return leadsToGiven(directory, name) ? Outcome.done() : entry(directory, name);
    }

    /** The directories above what the plugin was given may be made. */
    private boolean leadsToGiven(Descriptor directory, byte[] name) {
        return given.stream().anyMatch(path -> {
            try {
                return isNext(path, directory, name, false);
            } catch (KernelException notFound) {
                return false;
            }
        });
    }

    /** Whether a path that is not there would begin, in this directory, with this name. */
    private boolean isNext(Path path, Descriptor directory, byte[] name, boolean last) throws KernelException {
        Path missing = path;
        Path above = path.getParent();
        FileStatus held = kernel.knownStatus(directory);
        while (above != null) {
            Optional<FileStatus> status = finder.statusOf(above);
            if (status.isPresent()) {
                Path next = above.relativize(missing);
                return status.get().sameFileAs(held)
                        && Arrays.equals(Kernel.name(next), name)
                        && (!last || missing.equals(path));
            }
            missing = above;
            above = above.getParent();
        }
        return false;
    }

    // ---- this process ----

    @Override
    public boolean asksOnTheWay() {
        return true;
    }

    @Override
    public Outcome<Nothing> onTheWay(Descriptor directory) throws KernelException {
        if (!isOfProc(kernel.knownStatus(directory))) {
            return Outcome.done();
        }
        return of(directory, (world, file) -> notOwnProcess(file));
    }

    @Override
    public boolean leadsByItself(Descriptor directory) throws KernelException {
        FileStatus status = kernel.knownStatus(directory);
        return isOfProc(status) && status.inode() != PROC_ROOT;
    }

    private boolean isOfProc(FileStatus status) throws KernelException {
        return finder.statusOf(PROC)
                .filter(proc -> proc.device().equals(status.device()))
                .isPresent();
    }

    private static Outcome<Nothing> notOwnProcess(FileLocation file) {
        boolean own = file.levels().stream()
                .findFirst()
                .filter(level -> level.type().equals("proc") && level.path().getNameCount() > 0)
                .map(level -> level.path().getName(0).toString())
                .filter(name -> name.matches("\\d{1,10}") && Files.exists(OWN_THREADS.resolve(name)))
                .isPresent();
        return own
                ? Outcome.refused(
                        Refusal.DENIED,
                        file.real() + " is of Mooring's own process, which no volume may show or lead through. "
                                + "Name the path that is meant, without /proc/self, /proc/thread-self and /dev/fd")
                : Outcome.done();
    }

    // ---- words ----

    private static String text(KeptPlace place) {
        return "kept for " + place.kind() + " of " + place.owner();
    }

    private static Outcome<Nothing> refuseInside(FileLocation file, FoundPlace place) {
        String what = file.real().equals(place.real())
                ? file.real() + " is "
                : file.real() + " lies in " + place.real() + ", ";
        return Outcome.refused(
                Refusal.DENIED, what + text(place.place()) + ": no volume may show, empty or destroy it. " + WAY_OUT);
    }

    private static Outcome<Nothing> refuseAbove(FileLocation file, FoundPlace place) {
        return Outcome.refused(
                Refusal.DENIED,
                file.real() + " contains " + place.real() + ", " + text(place.place())
                        + ": no volume may empty or destroy it. " + WAY_OUT);
    }
}
