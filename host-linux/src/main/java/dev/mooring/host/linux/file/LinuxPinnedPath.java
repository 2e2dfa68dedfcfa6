// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Elements;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.FileSystemIdentity;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountCloning;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileFactsBuilder;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.FileSystemSpace;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file held by a descriptor that only denotes it ({@code O_PATH}). */
public final class LinuxPinnedPath implements PinnedPath {
    private final Kernel kernel;
    private final PathGuard guard;
    private final Descriptor held;
    private boolean free;

    LinuxPinnedPath(Kernel kernel, PathGuard guard, Descriptor held) {
        this.kernel = kernel;
        this.guard = guard;
        this.held = held;
    }

    /** Many names may be asked for in one directory, so it is looked at once whether any of them can matter. */
    private Outcome<Nothing> entry(byte[] name) {
        free = free || guard.isFree(held);
        return free ? Outcome.done() : guard.entry(held, name);
    }

    /** The descriptor of a handle that this host gave out. */
    public static Optional<Descriptor> descriptorOf(PinnedPath path) {
        return path instanceof LinuxPinnedPath ours ? Optional.of(ours.held) : Optional.empty();
    }

    public static <T> Outcome<T> foreign() {
        return Outcome.refused(Refusal.INVALID, "the path was opened by another host's services");
    }

    static FileFacts facts(Kernel kernel, Descriptor held) throws KernelException {
        FileStatus status = kernel.status(held);
        String fileSystem = FileSystemIdentity.of(kernel, held, status.isDirectory());
        return FileFactsBuilder.builder()
                .kind(status.kind())
                .identity(new FileIdentity(fileSystem, status.inode()))
                .mode(status.permissions())
                .owner(status.owner())
                .group(status.group())
                .size(status.size())
                .mountId(status.mountId())
                .build();
    }

    @Override
    public Outcome<FileFacts> facts() {
        return Guarded.look(() -> Outcome.done(facts(kernel, held)));
    }

    @Override
    public Outcome<Path> resolved() {
        return Guarded.look(() -> Outcome.done(kernel.path(held)));
    }

    @Override
    public Outcome<FileSystemSpace> space() {
        return Guarded.look(() -> {
            ByteBuffer buffer = kernel.fileSystem(held);
            // counts are in units of the fragment size
            long unit = buffer.getLong(72);
            long blocks = buffer.getLong(16);
            long free = buffer.getLong(24);
            return Outcome.done(new FileSystemSpace(
                    blocks * unit,
                    (blocks - free) * unit,
                    buffer.getLong(32) * unit,
                    buffer.getLong(40),
                    buffer.getLong(48)));
        });
    }

    @Override
    public Outcome<PinnedPath> child(String relative) {
        if (!Elements.isWayDown(relative)) {
            return Outcome.refused(Refusal.INVALID, "'" + relative + "' is not a way down");
        }
        return Guarded.look(() -> Outcome.done(new LinuxPinnedPath(
                kernel,
                guard,
                kernel.open(held.number(), Kernel.name(relative), Kernel.O_PATH, 0, Kernel.STRICTLY_BELOW))));
    }

    @Override
    public Outcome<PinnedPath> within(String relative) {
        if (!Elements.isWayDown(relative)) {
            return Outcome.refused(Refusal.INVALID, "'" + relative + "' is not a way down");
        }
        return Guarded.look(() -> {
            try {
                return Outcome.done(new LinuxPinnedPath(
                        kernel,
                        guard,
                        kernel.open(held.number(), Kernel.name(relative), Kernel.O_PATH, 0, Kernel.CONFINED)));
            } catch (KernelException e) {
                if (e.is(Errno.EXDEV)) {
                    return Outcome.refused(Refusal.DENIED, "'" + relative + "' leads out of the directory");
                }
                throw e;
            }
        });
    }

    @Override
    public Outcome<PinnedPath> withoutMounts() {
        // the copy is mounted nowhere, so no table tells what it lies in
        return guard.use(held)
                .then(allowed -> Guarded.look(() -> {
                    try {
                        return Outcome.done(new LinuxPinnedPath(kernel, guard, MountCloning.alone(kernel, held)));
                    } catch (KernelException e) {
                        if (e.is(Errno.EPERM)) {
                            // a sandbox without the mount calls: time gives no permission
                            return Outcome.refused(Refusal.UNSUPPORTED, e.getMessage());
                        }
                        throw e;
                    }
                }));
    }

    @Override
    public Outcome<Optional<String>> readLink(String name) {
        return Elements.<Optional<String>>refuse(name)
                .orElseGet(() -> Guarded.look(() -> {
                    try {
                        return Outcome.done(Optional.of(kernel.readLink(held.number(), Kernel.name(name))));
                    } catch (KernelException e) {
                        return switch (e.errno()) {
                            case Errno.ENOENT -> Outcome.done(Optional.empty());
                            case Errno.EINVAL -> Outcome.refused(Refusal.INCOMPATIBLE, name + " is no symbolic link");
                            default -> throw e;
                        };
                    }
                }));
    }

    @Override
    public Outcome<Nothing> makeSymbolicLink(String name, String target) {
        return Elements.<Nothing>refuse(name)
                .orElseGet(() -> entry(Kernel.name(name))
                        .then(allowed -> Guarded.change(() -> {
                            kernel.makeLink(target, held.number(), Kernel.name(name));
                            return Outcome.done();
                        })));
    }

    @Override
    public Outcome<Nothing> replace(String name, String newName) {
        return Elements.<Nothing>refuse(name)
                .or(() -> Elements.refuse(newName))
                .orElseGet(() -> entry(Kernel.name(name))
                        .then(allowed -> entry(Kernel.name(newName)))
                        .then(allowed -> Guarded.change(() -> {
                            kernel.rename(held.number(), Kernel.name(name), held.number(), Kernel.name(newName), 0);
                            return Outcome.done();
                        })));
    }

    @Override
    public Outcome<Made> makeDirectory(String name, int mode) {
        return Elements.<Made>refuse(name)
                .orElseGet(() -> entry(Kernel.name(name))
                        .then(allowed -> Guarded.change(() -> {
                            boolean isNew = NewFiles.makeDirectory(kernel, held, Kernel.name(name), mode);
                            Descriptor made = kernel.open(
                                    held.number(), Kernel.name(name), Kernel.O_PATH, 0, Kernel.STRICTLY_BELOW);
                            return settle(made, isNew, mode);
                        })));
    }

    private Outcome<Made> settle(Descriptor made, boolean isNew, int mode) {
        Outcome<Made> answer = Guarded.change(() -> {
            Outcome<Boolean> settled = NewFiles.settle(kernel, made, isNew, mode);
            if (isNew && settled.isDone()) {
                kernel.flushDirectory(held);
            }
            return settled.map(fresh -> new Made(new LinuxPinnedPath(kernel, guard, made), fresh));
        });
        if (!answer.isDone()) {
            made.close();
        }
        return answer;
    }

    @Override
    public Outcome<List<String>> list(int limit) {
        return guard.use(held)
                .then(allowed -> Guarded.look(() -> {
                    try (Descriptor directory = kernel.openDirectory(held)) {
                        List<String> names = new DirectoryReader(kernel, directory)
                                .all(limit + 1).stream()
                                        .map(Kernel::printable)
                                        .sorted()
                                        .toList();
                        return names.size() > limit
                                ? Outcome.refused(
                                        Refusal.EXHAUSTED, "the directory has more than " + limit + " entries")
                                : Outcome.done(names);
                    }
                }));
    }

    @Override
    public Outcome<Optional<byte[]>> readFile(String name, int limit) {
        return Elements.<Optional<byte[]>>refuse(name)
                .orElseGet(() -> entry(Kernel.name(name))
                        .then(allowed -> Guarded.look(() -> {
                            try {
                                return SmallFiles.read(kernel, held, name, limit);
                            } catch (KernelException e) {
                                if (e.is(Errno.ENOENT)) {
                                    return Outcome.done(Optional.empty());
                                }
                                throw e;
                            }
                        })));
    }

    @Override
    public Outcome<Nothing> writeFile(String name, byte[] content, int mode) {
        return Elements.<Nothing>refuse(name)
                .orElseGet(() -> entry(Kernel.name(name))
                        .then(allowed -> Guarded.change(() -> SmallFiles.write(kernel, held, name, content, mode))));
    }

    @Override
    public Outcome<Nothing> removeFile(String name) {
        return remove(name, 0);
    }

    @Override
    public Outcome<Nothing> removeDirectory(String name) {
        return remove(name, Kernel.REMOVE_DIRECTORY);
    }

    private Outcome<Nothing> remove(String name, int flags) {
        return Elements.<Nothing>refuse(name)
                .orElseGet(() -> entry(Kernel.name(name))
                        .then(allowed -> Guarded.change(() -> {
                            try {
                                kernel.unlink(held.number(), Kernel.name(name), flags);
                            } catch (KernelException e) {
                                if (!e.is(Errno.ENOENT)) {
                                    throw e;
                                }
                            }
                            kernel.flushDirectory(held);
                            return Outcome.done();
                        })));
    }

    @Override
    public Outcome<Nothing> rename(String name, PinnedPath newParent, String newName) {
        Optional<Outcome<Nothing>> wrong = Elements.<Nothing>refuse(name).or(() -> Elements.refuse(newName));
        Optional<Descriptor> to = descriptorOf(newParent);
        if (wrong.isPresent() || to.isEmpty()) {
            return wrong.orElseGet(LinuxPinnedPath::foreign);
        }
        return entry(Kernel.name(name))
                .then(allowed -> guard.entry(to.get(), Kernel.name(newName)))
                .then(allowed -> Guarded.change(() -> move(Kernel.name(name), to.get(), Kernel.name(newName))));
    }

    private Outcome<Nothing> move(byte[] name, Descriptor to, byte[] newName) throws KernelException {
        try {
            kernel.renameToNew(held.number(), name, to.number(), newName);
        } catch (KernelException e) {
            return e.is(Errno.EXDEV) ? Outcome.refused(Refusal.INCOMPATIBLE, e.getMessage()) : e.outcome();
        }
        kernel.flushDirectory(held);
        kernel.flushDirectory(to);
        return Outcome.done();
    }

    @Override
    public Outcome<Nothing> setMode(int mode) {
        return guard.use(held)
                .then(allowed -> Guarded.change(() -> {
                    if (kernel.status(held).kind() == FileKind.LINK) {
                        return Outcome.refused(Refusal.INCOMPATIBLE, "a symbolic link has no mode");
                    }
                    kernel.changeMode(held, mode);
                    return Outcome.done();
                }));
    }

    @Override
    public Outcome<Nothing> setOwner(int owner, int group) {
        return guard.use(held)
                .then(allowed -> Guarded.change(() -> {
                    kernel.changeOwner(held, owner, group);
                    return Outcome.done();
                }));
    }

    @Override
    public void close() {
        held.close();
    }
}
