// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Mounts in memory: binds, and {@code tmpfs}. */
final class MemoryMounts implements Mounts {
    /** Of a place that is made for a mount. */
    private static final int POINT_MODE = 0750;

    private final MemoryDisk disk;

    MemoryMounts(MemoryDisk disk) {
        this.disk = disk;
    }

    /** Nothing is mounted any more. What was mounted on stays. */
    void forget() {
        synchronized (disk) {
            disk.forgetMounts();
        }
    }

    @Override
    public Outcome<MountTable> table() {
        synchronized (disk) {
            return Outcome.done(disk.table());
        }
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        synchronized (disk) {
            if (!(source instanceof MemoryPath held)) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "what is shown is not of this machine");
            }
            MemoryNode node = held.place().node();
            // what is read-only stays so at every other place
            boolean readOnly = options.readOnly() || !disk.writable(held.place().mountId());
            Optional<MountEntry> there = disk.table().top(target);
            if (there.isPresent()) {
                return same(there.get(), node.device, node.root(), readOnly);
            }
            if (node.gone) {
                return Outcome.refused(Refusal.NOT_FOUND, "what is to be shown has been removed");
            }
            return point(target, node.kind)
                    .map(nothing -> options.recursive()
                            ? disk.showTree(held.place(), target, readOnly)
                            : disk.show(node, target, readOnly));
        }
    }

    private static Outcome<MountEntry> same(MountEntry there, String device, String root, boolean readOnly) {
        if (!there.device().equals(device) || !there.root().equals(root)) {
            return Outcome.refused(Refusal.IN_USE, "something else is mounted: " + there);
        }
        return there.readOnly() == readOnly
                ? Outcome.done(there)
                : Outcome.refused(Refusal.INCOMPATIBLE, "it is mounted with other options: " + there);
    }

    private Outcome<Nothing> point(Path target, FileKind kind) {
        FileKind wanted = kind == FileKind.DIRECTORY ? FileKind.DIRECTORY : FileKind.FILE;
        Path parent = target.getParent();
        if (parent == null) {
            return Outcome.refused(Refusal.INVALID, target + " is no mount point");
        }
        return disk.find(parent, LinkRule.REFUSE).then(place -> {
            String name = target.getFileName().toString();
            if (place.node().kind != FileKind.DIRECTORY) {
                return Outcome.refused(Refusal.INCOMPATIBLE, parent + " is no directory");
            }
            MemoryNode there = place.node().children.get(name);
            if (there == null && !disk.writable(place.mountId())) {
                return Outcome.refused(Refusal.DENIED, parent + " is read-only");
            }
            if (there == null) {
                disk.make(place.node(), name, wanted, POINT_MODE);
                return Outcome.done();
            }
            return there.kind == wanted
                    ? Outcome.done()
                    : Outcome.refused(Refusal.INCOMPATIBLE, target + " is a " + there.kind);
        });
    }

    @Override
    public Outcome<MountEntry> entryOf(PinnedPath path) {
        synchronized (disk) {
            return path.facts()
                    .then(facts -> disk.table()
                            .byId(facts.mountId())
                            .map(Outcome::done)
                            .orElseGet(() -> Outcome.uncertain("the mount has gone")));
        }
    }

    @Override
    public Outcome<Nothing> unmount(
            OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        synchronized (disk) {
            return remove(target, expected);
        }
    }

    private Outcome<Nothing> remove(Path target, MountExpectation expected) {
        List<MountEntry> layers = disk.table().at(target);
        List<MountEntry> below = disk.table().below(target);
        Optional<MountEntry> foreign =
                layers.stream().filter(entry -> !expected.fits(entry)).findFirst();
        if (foreign.isPresent() || (!below.isEmpty() && !expected.tree())) {
            return Outcome.refused(Refusal.IN_USE, "a foreign mount is on or below " + target);
        }
        if (!layers.stream().allMatch(disk::isSeen)) {
            return Outcome.uncertain("a mount at " + target + " is covered by another one");
        }
        below.forEach(disk::remove);
        layers.forEach(disk::remove);
        return removePoint(target);
    }

    /** The place where something was mounted goes too; what holds something is put aside, as it may be the only copy of it. */
    private Outcome<Nothing> removePoint(Path target) {
        Path parent = target.getParent();
        if (parent == null) {
            return Outcome.done();
        }
        Outcome<MemoryPlace> above = disk.find(parent, LinkRule.REFUSE);
        if (above.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done();
        }
        return above.then(place -> {
            String name = target.getFileName().toString();
            MemoryNode point = place.node().children.get(name);
            if (place.node().kind != FileKind.DIRECTORY) {
                return Outcome.refused(Refusal.INCOMPATIBLE, parent + " is no directory");
            }
            if (point == null) {
                return Outcome.done();
            }
            if (!disk.writable(place.mountId())) {
                return Outcome.refused(Refusal.DENIED, parent + " is read-only");
            }
            if (disk.isMountPoint(point)) {
                return Outcome.uncertain(target + " is a mount point elsewhere");
            }
            place.node().children.remove(name);
            boolean empty = point.kind != FileKind.LINK && point.children.isEmpty() && point.content.length == 0;
            point.gone = empty;
            return empty
                    ? Outcome.done()
                    : Outcome.refused(Refusal.CORRUPT, target + " held something and was put aside");
        });
    }

    @Override
    public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
        synchronized (disk) {
            if (!request.type().equals("tmpfs")) {
                return Outcome.refused(Refusal.UNSUPPORTED, "a machine in memory mounts nothing but tmpfs");
            }
            Optional<MountEntry> there = disk.table().top(target);
            if (there.isPresent()) {
                MountEntry entry = there.get();
                if (!entry.source().equals(request.source()) || !entry.fsType().equals(request.type())) {
                    return Outcome.refused(Refusal.IN_USE, "something else is mounted: " + entry);
                }
                return entry.readOnly() == request.readOnly()
                        ? Outcome.done(entry)
                        : Outcome.refused(Refusal.INCOMPATIBLE, "it is mounted with other options: " + entry);
            }
            return point(target, FileKind.DIRECTORY)
                    .map(nothing -> disk.add(
                            disk.newFileSystem(),
                            target,
                            request.source(),
                            request.type(),
                            request.readOnly(),
                            request.options()));
        }
    }
}
