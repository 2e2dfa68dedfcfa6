// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** File systems and the table of their mounts, in memory. Every method is called with the disk's lock held. */
final class MemoryDisk {
    private static final int MOST_LINKS = 40;

    private final List<MountEntry> table = new ArrayList<>();
    private final List<MemoryNode> shown = new ArrayList<>();
    private long lastInode = 1;
    private int lastDevice = 40;

    MemoryDisk() {
        add(newFileSystem(), Path.of("/"), "memory", "memfs", false, List.of());
    }

    MemoryNode newFileSystem() {
        return new MemoryNode(FileKind.DIRECTORY, "0:" + ++lastDevice, ++lastInode, Optional.empty(), "", 0755);
    }

    MemoryNode make(MemoryNode parent, String name, FileKind kind, int mode) {
        MemoryNode made = new MemoryNode(kind, parent.device, ++lastInode, Optional.of(parent), name, mode);
        parent.children.put(name, made);
        return made;
    }

    MountTable table() {
        return new MountTable(table);
    }

    MountEntry add(
            MemoryNode node, Path target, String source, String type, boolean readOnly, List<String> superOptions) {
        MountEntry entry = new MountEntry(
                freeNumber(),
                table().top(parentOf(target)).map(MountEntry::id).orElse(1),
                node.device,
                node.root(),
                false,
                target,
                List.of(readOnly ? "ro" : "rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                type,
                source,
                superOptions);
        table.add(entry);
        shown.add(node);
        return entry;
    }

    /** As in a kernel, the number of a mount that has gone is given to the next one. */
    private int freeNumber() {
        Set<Integer> taken = table.stream().map(MountEntry::id).collect(Collectors.toSet());
        return IntStream.iterate(1, number -> number + 1)
                .filter(number -> !taken.contains(number))
                .findFirst()
                .orElseThrow();
    }

    private static Path parentOf(Path path) {
        return path.getParent() == null ? path : path.getParent();
    }

    void remove(MountEntry entry) {
        int index = table.indexOf(entry);
        table.remove(index);
        shown.remove(index);
    }

    /** Whether a directory is covered by a mount somewhere, or lies over one. */
    boolean isMountPoint(MemoryNode node) {
        return table.stream()
                .filter(entry -> !entry.mountPoint().equals(Path.of("/")))
                .anyMatch(entry ->
                        beneath(entry).filter(covered -> covered == node).isPresent());
    }

    /** What a mount covers. */
    private Optional<MemoryNode> beneath(MountEntry entry) {
        Path parent = parentOf(entry.mountPoint());
        return find(parent, LinkRule.REFUSE)
                .result()
                .flatMap(place -> Optional.ofNullable(place.node()
                        .children
                        .get(entry.mountPoint().getFileName().toString())));
    }

    boolean writable(int mountId) {
        return table().byId(mountId).filter(entry -> !entry.readOnly()).isPresent();
    }

    /** Steps through whatever is mounted on top of a path. */
    MemoryPlace through(MemoryNode node, int mountId, Path path) {
        for (int i = table.size() - 1; i >= 0; i--) {
            if (table.get(i).mountPoint().equals(path)) {
                return new MemoryPlace(shown.get(i), table.get(i).id(), path);
            }
        }
        return new MemoryPlace(node, mountId, path);
    }

    Outcome<MemoryPlace> find(Path path, LinkRule links) {
        return walk(root(), path.normalize(), links, MOST_LINKS);
    }

    private MemoryPlace root() {
        return through(shown.get(0), 1, Path.of("/"));
    }

    private Outcome<MemoryPlace> walk(MemoryPlace from, Path path, LinkRule links, int left) {
        MemoryPlace here = from;
        for (int i = 0; i < path.getNameCount(); i++) {
            String name = path.getName(i).toString();
            Optional<Outcome<MemoryPlace>> wrong = Elements.refuse(name);
            if (wrong.isPresent()) {
                return wrong.get();
            }
            if (here.node().kind != FileKind.DIRECTORY) {
                return Outcome.refused(Refusal.INCOMPATIBLE, here.path() + " is no directory");
            }
            MemoryNode next = here.node().children.get(name);
            if (next == null) {
                return Outcome.refused(Refusal.NOT_FOUND, here.path().resolve(name) + " does not exist");
            }
            if (next.kind == FileKind.LINK) {
                if (links == LinkRule.REFUSE || left == 0) {
                    return Outcome.refused(Refusal.INCOMPATIBLE, here.path().resolve(name) + " is a link");
                }
                Path rest = path.getNameCount() == i + 1 ? Path.of("") : path.subpath(i + 1, path.getNameCount());
                Path aim = here.path().resolve(next.link).resolve(rest).normalize();
                return walk(root(), aim, links, left - 1);
            }
            here = through(next, here.mountId(), here.path().resolve(name));
        }
        return Outcome.done(here);
    }
}
