// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.machine;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.FileSystemSpace;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The real machine, on which the process ends before the n-th change: from then on nothing is changed any more, and the caller does not
 * learn of it but by {@link Crash}.
 */
public final class CrashingHost implements HostServices, HostFiles {
    /** The end of the process. */
    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final HostServices real;
    private int left;

    /** Ends before the change with this number, from 0. */
    public CrashingHost(HostServices real, int changes) {
        this.real = real;
        this.left = changes;
    }

    /** Wraps what is open already. */
    public PinnedPath wrap(PinnedPath path) {
        return new Wrapped(path);
    }

    private <T> T change(Supplier<T> change) {
        if (left-- <= 0) {
            throw new Crash();
        }
        return change.get();
    }

    private final class Wrapped implements PinnedPath {
        private final PinnedPath path;

        Wrapped(PinnedPath path) {
            this.path = path;
        }

        @Override
        public Outcome<FileFacts> facts() {
            return path.facts();
        }

        @Override
        public Outcome<Path> resolved() {
            return path.resolved();
        }

        @Override
        public Outcome<FileSystemSpace> space() {
            return path.space();
        }

        @Override
        public Outcome<PinnedPath> child(String relative) {
            return path.child(relative).map(Wrapped::new);
        }

        @Override
        public Outcome<PinnedPath> within(String relative) {
            return path.within(relative).map(Wrapped::new);
        }

        @Override
        public Outcome<PinnedPath> withoutMounts() {
            return path.withoutMounts().map(Wrapped::new);
        }

        @Override
        public Outcome<Optional<String>> readLink(String name) {
            return path.readLink(name);
        }

        @Override
        public Outcome<Nothing> makeSymbolicLink(String name, String target) {
            return change(() -> path.makeSymbolicLink(name, target));
        }

        @Override
        public Outcome<Nothing> replace(String name, String newName) {
            return change(() -> path.replace(name, newName));
        }

        @Override
        public Outcome<Made> makeDirectory(String name, int mode) {
            return change(() -> path.makeDirectory(name, mode))
                    .map(made -> new Made(new Wrapped(made.path()), made.isNew()));
        }

        @Override
        public Outcome<List<String>> list(int limit) {
            return path.list(limit);
        }

        @Override
        public Outcome<Optional<byte[]>> readFile(String name, int limit) {
            return path.readFile(name, limit);
        }

        @Override
        public Outcome<Nothing> writeFile(String name, byte[] content, int mode) {
            return change(() -> path.writeFile(name, content, mode));
        }

        @Override
        public Outcome<Nothing> removeFile(String name) {
            return change(() -> path.removeFile(name));
        }

        @Override
        public Outcome<Nothing> removeDirectory(String name) {
            return change(() -> path.removeDirectory(name));
        }

        @Override
        public Outcome<Nothing> rename(String name, PinnedPath newParent, String newName) {
            return change(() -> path.rename(name, unwrap(newParent), newName));
        }

        @Override
        public Outcome<Nothing> setMode(int mode) {
            return change(() -> path.setMode(mode));
        }

        @Override
        public Outcome<Nothing> setOwner(int owner, int group) {
            return change(() -> path.setOwner(owner, group));
        }

        @Override
        public void close() {
            path.close();
        }
    }

    private static PinnedPath unwrap(PinnedPath path) {
        return path instanceof Wrapped wrapped ? wrapped.path : path;
    }

    @Override
    public HostFiles files() {
        return this;
    }

    @Override
    public Outcome<PinnedPath> open(Path path, LinkRule links) {
        return real.files().open(path, links).map(this::wrap);
    }

    @Override
    public Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode) {
        return change(() -> real.files().openOrMake(path, links, kind, mode))
                .map(made -> new Made(wrap(made.path()), made.isNew()));
    }

    @Override
    public Outcome<EmptiedTree> empty(OperationContext context, PinnedPath root, TreeRules rules) {
        return change(() -> real.files().empty(context, unwrap(root), rules));
    }

    @Override
    public Outcome<OwnedTree> own(OperationContext context, PinnedPath root, OwnershipRule rule) {
        return change(() -> real.files().own(context, unwrap(root), rule));
    }

    @Override
    public Outcome<CopiedTree> copy(OperationContext context, PinnedPath from, PinnedPath to) {
        return change(() -> real.files().copy(context, unwrap(from), unwrap(to)));
    }

    @Override
    public HostCapabilities capabilities() {
        return real.capabilities();
    }

    @Override
    public ProcessRunner processes() {
        return real.processes();
    }

    @Override
    public Mounts mounts() {
        return real.mounts();
    }

    @Override
    public BlockDevices blockDevices() {
        return real.blockDevices();
    }

    @Override
    public FileSystems fileSystems() {
        return real.fileSystems();
    }

    @Override
    public DirectoryQuotas quotas() {
        return real.quotas();
    }

    @Override
    public Sysfs sysfs() {
        return real.sysfs();
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return real.stateDirectory(plugin);
    }
}
