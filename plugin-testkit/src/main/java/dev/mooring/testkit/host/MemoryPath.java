// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.FileSystemSpace;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A file in memory that is held. */
final class MemoryPath implements PinnedPath {
    private static final long GIB = 1L << 30;

    private final MemoryDisk disk;
    private final MemoryPlace place;
    private boolean closed;

    MemoryPath(MemoryDisk disk, MemoryPlace place) {
        this.disk = disk;
        this.place = place;
    }

    MemoryPlace place() {
        return place;
    }

    private <T> Outcome<T> held(Supplier<Outcome<T>> action) {
        synchronized (disk) {
            if (closed) {
                throw new IllegalStateException(place.path() + " was let go");
            }
            return action.get();
        }
    }

    private <T> Outcome<T> inDirectory(Supplier<Outcome<T>> action) {
        return held(() -> place.node().kind == FileKind.DIRECTORY
                ? action.get()
                : Outcome.refused(Refusal.INCOMPATIBLE, place.path() + " is no directory"));
    }

    private <T> Outcome<T> writing(Supplier<Outcome<T>> action) {
        return inDirectory(() -> disk.writable(place.mountId())
                ? action.get()
                : Outcome.refused(Refusal.DENIED, place.path() + " is read-only"));
    }

    private Optional<MemoryNode> named(String name) {
        return Optional.ofNullable(place.node().children.get(name));
    }

    @Override
    public Outcome<FileFacts> facts() {
        return held(() -> Outcome.done(place.node().facts(place.mountId())));
    }

    @Override
    public Outcome<Path> resolved() {
        return held(() -> Outcome.done(place.path()));
    }

    @Override
    public Outcome<FileSystemSpace> space() {
        return held(() -> Outcome.done(new FileSystemSpace(100 * GIB, 10 * GIB, 90 * GIB, 1_000_000, 900_000)));
    }

    @Override
    public Outcome<PinnedPath> child(String relative) {
        return PathElements.<PinnedPath>refuseWay(relative)
                .orElseGet(() -> inDirectory(() -> {
                    MemoryPlace here = place;
                    for (Path element : Path.of(relative)) {
                        if (here.node().kind != FileKind.DIRECTORY) {
                            return Outcome.refused(Refusal.INCOMPATIBLE, here.path() + " is no directory");
                        }
                        MemoryNode next = here.node().children.get(element.toString());
                        if (next == null) {
                            return Outcome.refused(
                                    Refusal.NOT_FOUND, here.path().resolve(element) + " does not exist");
                        }
                        MemoryPlace covered =
                                disk.through(next, here.mountId(), here.path().resolve(element));
                        if (covered.mountId() != here.mountId()) {
                            return Outcome.refused(Refusal.IN_USE, covered.path() + " is a mount point");
                        }
                        if (next.kind == FileKind.LINK) {
                            return Outcome.refused(Refusal.INCOMPATIBLE, covered.path() + " is a link");
                        }
                        here = covered;
                    }
                    return Outcome.done(new MemoryPath(disk, here));
                }));
    }

    @Override
    public Outcome<PinnedPath> within(String relative) {
        return PathElements.<PinnedPath>refuseWay(relative)
                .orElseGet(() ->
                        inDirectory(() -> disk.findWithin(place, relative).map(found -> new MemoryPath(disk, found))));
    }

    @Override
    public Outcome<PinnedPath> withoutMounts() {
        return Outcome.refused(Refusal.UNSUPPORTED, "this machine in memory cannot show what a mount hides");
    }

    @Override
    public Outcome<Optional<String>> readLink(String name) {
        return PathElements.<Optional<String>>refuse(name)
                .orElseGet(() -> inDirectory(() ->
                        named(name).filter(node -> node.kind != FileKind.LINK).isPresent()
                                ? Outcome.refused(Refusal.INCOMPATIBLE, name + " is no link")
                                : Outcome.done(named(name).map(node -> node.link))));
    }

    @Override
    public Outcome<Nothing> makeSymbolicLink(String name, String target) {
        return PathElements.<Nothing>refuse(name)
                .orElseGet(() -> inDirectory(() -> {
                    if (named(name).isPresent()) {
                        return Outcome.refused(Refusal.IN_USE, name + " is taken");
                    }
                    if (!disk.writable(place.mountId())) {
                        return Outcome.refused(Refusal.DENIED, place.path() + " is read-only");
                    }
                    disk.make(place.node(), name, FileKind.LINK, 0777).link = target;
                    return Outcome.done();
                }));
    }

    @Override
    public Outcome<Nothing> replace(String name, String newName) {
        return PathElements.<Nothing>refuse(name)
                .or(() -> PathElements.refuse(newName))
                .orElseGet(() -> writing(() -> {
                    MemoryNode moved = place.node().children.get(name);
                    if (moved == null) {
                        return Outcome.refused(Refusal.NOT_FOUND, name + " does not exist");
                    }
                    MemoryNode old = place.node().children.get(newName);
                    if (old == moved) {
                        return Outcome.done();
                    }
                    if (disk.isMountPoint(moved) || (old != null && disk.isMountPoint(old))) {
                        return Outcome.refused(Refusal.IN_USE, name + " or " + newName + " is a mount point");
                    }
                    if (old != null && (old.kind == FileKind.DIRECTORY) != (moved.kind == FileKind.DIRECTORY)) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, newName + " is of another kind");
                    }
                    if (old != null && !old.children.isEmpty()) {
                        return Outcome.refused(Refusal.IN_USE, newName + " is not empty");
                    }
                    move(moved, place.node(), newName);
                    return Outcome.done();
                }));
    }

    private static void move(MemoryNode moved, MemoryNode newParent, String newName) {
        moved.parent.ifPresent(parent -> parent.children.remove(moved.name));
        moved.parent = Optional.of(newParent);
        moved.name = newName;
        newParent.children.put(newName, moved);
    }

    @Override
    public Outcome<Made> makeDirectory(String name, int mode) {
        return PathElements.<Made>refuse(name)
                .orElseGet(() -> inDirectory(() -> {
                    boolean isNew = named(name).isEmpty();
                    if (isNew && place.node().gone) {
                        return Outcome.refused(Refusal.NOT_FOUND, place.path() + " has been removed");
                    }
                    if (isNew && !disk.writable(place.mountId())) {
                        return Outcome.refused(Refusal.DENIED, place.path() + " is read-only");
                    }
                    if (isNew) {
                        disk.make(place.node(), name, FileKind.DIRECTORY, mode);
                    }
                    return child(name)
                            .then(path -> path.facts()
                                    .then(facts -> facts.kind() == FileKind.DIRECTORY
                                            ? Outcome.done(new Made(path, isNew))
                                            : Outcome.refused(Refusal.INCOMPATIBLE, name + " is no directory")));
                }));
    }

    @Override
    public Outcome<List<String>> list(int limit) {
        return inDirectory(() -> {
            if (place.node().gone) {
                return Outcome.refused(Refusal.NOT_FOUND, place.path() + " has been removed");
            }
            return place.node().children.size() > limit
                    ? Outcome.refused(Refusal.EXHAUSTED, place.path() + " holds more than " + limit + " names")
                    : Outcome.done(List.copyOf(place.node().children.keySet()));
        });
    }

    @Override
    public Outcome<Optional<byte[]>> readFile(String name, int limit) {
        return PathElements.<Optional<byte[]>>refuse(name)
                .orElseGet(() -> inDirectory(() -> {
                    Optional<MemoryNode> file = named(name);
                    if (file.filter(node -> isCovered(node, name)).isPresent()) {
                        return Outcome.refused(Refusal.IN_USE, name + " is a mount point");
                    }
                    if (file.filter(node -> node.kind == FileKind.LINK).isPresent()) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, name + " is a link");
                    }
                    boolean wrong = file.filter(node -> node.kind != FileKind.FILE || node.content.length > limit)
                            .isPresent();
                    return wrong
                            ? Outcome.refused(Refusal.CORRUPT, name + " is no file of at most " + limit + " bytes")
                            : Outcome.done(file.map(node -> node.content.clone()));
                }));
    }

    @Override
    public Outcome<Nothing> writeFile(String name, byte[] content, int mode) {
        return PathElements.<Nothing>refuse(name)
                .orElseGet(() -> writing(() -> {
                    if (named(name)
                            .filter(node -> node.kind == FileKind.DIRECTORY)
                            .isPresent()) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, name + " is a directory");
                    }
                    disk.make(place.node(), name, FileKind.FILE, mode).content = content.clone();
                    return Outcome.done();
                }));
    }

    @Override
    public Outcome<Nothing> removeFile(String name) {
        return PathElements.<Nothing>refuse(name)
                .orElseGet(() -> writing(() -> named(name)
                                .filter(node -> node.kind == FileKind.DIRECTORY)
                                .isPresent()
                        ? Outcome.refused(Refusal.INCOMPATIBLE, name + " is a directory")
                        : forget(name)));
    }

    @Override
    public Outcome<Nothing> removeDirectory(String name) {
        return PathElements.<Nothing>refuse(name)
                .orElseGet(() -> writing(() -> {
                    Optional<MemoryNode> node = named(name);
                    if (node.filter(found -> found.kind != FileKind.DIRECTORY).isPresent()) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, name + " is no directory");
                    }
                    boolean used = node.filter(found -> !found.children.isEmpty() || disk.isMountPoint(found))
                            .isPresent();
                    return used
                            ? Outcome.refused(Refusal.IN_USE, name + " is not empty or a mount point")
                            : forget(name);
                }));
    }

    private boolean isCovered(MemoryNode node, String name) {
        return disk.through(node, place.mountId(), place.path().resolve(name)).mountId() != place.mountId();
    }

    private Outcome<Nothing> forget(String name) {
        named(name).ifPresent(node -> node.gone = true);
        place.node().children.remove(name);
        return Outcome.done();
    }

    @Override
    public Outcome<Nothing> rename(String name, PinnedPath newParent, String newName) {
        return PathElements.<Nothing>refuse(name)
                .or(() -> PathElements.refuse(newName))
                .orElseGet(() -> inDirectory(() -> newParent.facts().then(parent -> {
                    Optional<MemoryNode> moved = named(name);
                    if (!(newParent instanceof MemoryPath other) || parent.kind() != FileKind.DIRECTORY) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, "the other is no directory of this machine");
                    }
                    if (other.place.mountId() != place.mountId()) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, "the other directory is on another mount");
                    }
                    if (!disk.writable(place.mountId())) {
                        return Outcome.refused(Refusal.DENIED, place.path() + " is read-only");
                    }
                    if (moved.isEmpty()) {
                        return Outcome.refused(Refusal.NOT_FOUND, name + " does not exist");
                    }
                    if (other.named(newName).isPresent() || disk.isMountPoint(moved.get())) {
                        return Outcome.refused(Refusal.IN_USE, newName + " is taken, or " + name + " a mount point");
                    }
                    move(moved.get(), other.place.node(), newName);
                    return Outcome.done();
                })));
    }

    @Override
    public Outcome<Nothing> setMode(int mode) {
        return held(() -> {
            place.node().mode = mode;
            return Outcome.done();
        });
    }

    @Override
    public Outcome<Nothing> setOwner(int owner, int group) {
        return held(() -> {
            place.node().owner = owner < 0 ? place.node().owner : owner;
            place.node().group = group < 0 ? place.node().group : group;
            return Outcome.done();
        });
    }

    /** Does something with the directory that is held. */
    <T> Outcome<T> with(Function<MemoryPlace, Outcome<T>> action) {
        return held(() -> action.apply(place));
    }

    @Override
    public void close() {
        synchronized (disk) {
            closed = true;
        }
    }
}
