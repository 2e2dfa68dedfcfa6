// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountEntryBuilder;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** File systems and the table of their mounts, in memory. Every method is called with the disk's lock held. */
final class MemoryDisk {
    private static final int MOST_LINKS = 40;

    private final List<MountEntry> table = new ArrayList<>();
    private final List<MemoryNode> shown = new ArrayList<>();
    /** What each mount covers. */
    private final Map<MountEntry, MemoryNode> covered = new HashMap<>();
    /** The first mount of each file system, by device. */
    private final Map<String, MountEntry> systems = new HashMap<>();

    private long lastInode = 1;
    private int lastDevice = 40;

    MemoryDisk() {
        MemoryNode top = newFileSystem();
        MountEntry entry = MountEntryBuilder.builder()
                .id(1)
                .parent(0)
                .device(top.device)
                .root("/")
                .mountPoint(Path.of("/"))
                .options(List.of("rw"))
                .fsType("memfs")
                .source("memory")
                .superOptions(List.of())
                .build();
        table.add(entry);
        shown.add(top);
        systems.put(top.device, entry);
    }

    MemoryNode newFileSystem() {
        // as a kernel makes the root of a tmpfs
        return new MemoryNode(FileKind.DIRECTORY, "0:" + ++lastDevice, ++lastInode, Optional.empty(), "", 01777);
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
        MountEntry entry = MountEntryBuilder.builder()
                .id(freeNumber())
                .parent(under(target))
                .device(node.device)
                .root(node.root())
                .mountPoint(target)
                .options(List.of(readOnly ? "ro" : "rw"))
                .fsType(type)
                .source(source)
                .superOptions(superOptions)
                .build();
        find(target, LinkRule.REFUSE).result().ifPresent(place -> covered.put(entry, place.node()));
        table.add(entry);
        systems.putIfAbsent(node.device, entry);
        shown.add(node);
        return entry;
    }

    /** Shows a file at a second place: the mount says of its file system what the first one said. */
    MountEntry show(MemoryNode node, Path target, boolean readOnly) {
        MountEntry first = Objects.requireNonNull(systems.get(node.device));
        return add(node, target, first.source(), first.fsType(), readOnly, first.superOptions());
    }

    /** Shows a directory at a second place, with all that is mounted below it. */
    MountEntry showTree(MemoryPlace place, Path target, boolean readOnly) {
        List<MountEntry> below = table().below(place.path());
        List<MemoryNode> nodes =
                below.stream().map(entry -> shown.get(table.indexOf(entry))).toList();
        MountEntry top = show(place.node(), target, readOnly);
        for (int i = 0; i < below.size(); i++) {
            MountEntry entry = below.get(i);
            show(
                    nodes.get(i),
                    target.resolve(place.path().relativize(entry.mountPoint())),
                    readOnly || entry.readOnly());
        }
        return top;
    }

    /** As in a kernel, the number of a mount that has gone is given to the next one. */
    private int freeNumber() {
        Set<Integer> taken = table.stream().map(MountEntry::id).collect(Collectors.toSet());
        return IntStream.iterate(1, number -> number + 1)
                .filter(number -> !taken.contains(number))
                .findFirst()
                .orElseThrow();
    }

    /** The mount on which another one comes to a place: the one that is seen there, or where its directory is. */
    private int under(Path target) {
        return find(target, LinkRule.REFUSE)
                .result()
                .or(() -> find(parentOf(target), LinkRule.REFUSE).result())
                .map(MemoryPlace::mountId)
                .orElse(1);
    }

    /** Whether a mount is what one sees at its place: another one may cover a directory above it. */
    boolean isSeen(MountEntry entry) {
        return find(entry.mountPoint(), LinkRule.REFUSE)
                .result()
                .filter(place -> place.mountId() == entry.id())
                .isPresent();
    }

    private static Path parentOf(Path path) {
        return path.getParent() == null ? path : path.getParent();
    }

    /** All mounts but that of the whole. */
    void forgetMounts() {
        List.copyOf(table.subList(1, table.size())).forEach(this::remove);
        systems.values().retainAll(table);
    }

    void remove(MountEntry entry) {
        int index = table.indexOf(entry);
        table.remove(index);
        covered.remove(entry);
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
        return Optional.ofNullable(covered.get(entry));
    }

    boolean writable(int mountId) {
        return table().byId(mountId).filter(entry -> !entry.readOnly()).isPresent();
    }

    /** Steps through whatever is mounted on top of a path, as it is seen through one mount. */
    MemoryPlace through(MemoryNode node, int mountId, Path path) {
        MemoryPlace here = new MemoryPlace(node, mountId, path);
        for (int i = 0; i < table.size(); i++) {
            MountEntry entry = table.get(i);
            if (entry.mountPoint().equals(path) && entry.parent() == here.mountId() && entry.id() != entry.parent()) {
                here = new MemoryPlace(shown.get(i), entry.id(), path);
            }
        }
        return here;
    }

    Outcome<MemoryPlace> find(Path path, LinkRule links) {
        return walk(root(), path.normalize(), links, MOST_LINKS);
    }

    private MemoryPlace root() {
        return new MemoryPlace(shown.get(0), 1, Path.of("/"));
    }

    private Outcome<MemoryPlace> walk(MemoryPlace from, Path path, LinkRule links, int left) {
        MemoryPlace here = from;
        for (int i = 0; i < path.getNameCount(); i++) {
            String name = path.getName(i).toString();
            Optional<Outcome<MemoryPlace>> wrong = PathElements.refuse(name);
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

    /** Follows links as long as they lead to nothing outside of a directory, as the kernel does for a confined process. */
    Outcome<MemoryPlace> findWithin(MemoryPlace top, String relative) {
        Deque<MemoryPlace> above = new ArrayDeque<>();
        Deque<String> rest = new ArrayDeque<>(List.of(relative.split("/")));
        MemoryPlace here = top;
        int links = 0;
        while (!rest.isEmpty()) {
            String name = rest.pop();
            if (here.node().kind != FileKind.DIRECTORY) {
                return Outcome.refused(Refusal.INCOMPATIBLE, here.path() + " is no directory");
            }
            if (name.equals("..")) {
                if (above.isEmpty()) {
                    return Outcome.refused(Refusal.DENIED, relative + " leads out of " + top.path());
                }
                here = above.pop();
                continue;
            }
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            MemoryNode next = here.node().children.get(name);
            if (next == null) {
                return Outcome.refused(Refusal.NOT_FOUND, here.path().resolve(name) + " does not exist");
            }
            if (next.kind != FileKind.LINK) {
                above.push(here);
                here = through(next, here.mountId(), here.path().resolve(name));
                continue;
            }
            if (next.link.startsWith("/")) {
                return Outcome.refused(Refusal.DENIED, here.path().resolve(name) + " is an absolute link");
            }
            if (++links > MOST_LINKS) {
                return Outcome.refused(Refusal.INCOMPATIBLE, relative + " leads in circles");
            }
            List<String> aim = List.of(next.link.split("/"));
            for (int i = aim.size() - 1; i >= 0; i--) {
                rest.push(aim.get(i));
            }
        }
        return Outcome.done(here);
    }
}
