// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Files and directories in memory. */
final class MemoryFiles implements HostFiles {
    private final MemoryDisk disk;

    MemoryFiles(MemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public Outcome<PinnedPath> open(Path path, LinkRule links) {
        synchronized (disk) {
            return disk.find(path, links).map(place -> new MemoryPath(disk, place));
        }
    }

    @Override
    public Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode) {
        synchronized (disk) {
            boolean isNew = !disk.find(path, links).isDone();
            Path parent = path.getParent();
            if (isNew && parent != null) {
                Outcome<?> above = kind == FileKind.DIRECTORY
                        ? openOrMake(parent, links, FileKind.DIRECTORY, mode)
                        : open(parent, links);
                Outcome<Nothing> made =
                        above.then(ignored -> disk.find(parent, links).then(place -> add(place, path, kind, mode)));
                if (!made.isDone()) {
                    return made.then(ignored -> Outcome.uncertain("never"));
                }
            }
            return open(path, links).map(found -> new Made(found, isNew));
        }
    }

    private Outcome<Nothing> add(MemoryPlace parent, Path path, FileKind kind, int mode) {
        String name = path.getFileName().toString();
        Optional<Outcome<Nothing>> wrong = PathElements.refuse(name);
        if (wrong.isPresent()) {
            return wrong.get();
        }
        if (parent.node().kind != FileKind.DIRECTORY || parent.node().children.containsKey(name)) {
            return Outcome.refused(Refusal.INCOMPATIBLE, path + " cannot be made");
        }
        if (!disk.writable(parent.mountId())) {
            return Outcome.refused(Refusal.DENIED, parent.path() + " is read-only");
        }
        disk.make(parent.node(), name, kind, mode);
        return Outcome.done();
    }

    @Override
    public Outcome<EmptiedTree> empty(OperationContext context, PinnedPath root, TreeRules rules) {
        return root.facts()
                .then(facts -> rules.identity()
                                        .filter(identity -> !identity.equals(facts.identity()))
                                        .isPresent()
                                || facts.kind() != FileKind.DIRECTORY
                        ? Outcome.refused(Refusal.CORRUPT, "it is not the directory that was expected")
                        : inside(root, place -> empty(context, place, rules)));
    }

    private static <T> Outcome<T> inside(PinnedPath root, Function<MemoryPlace, Outcome<T>> action) {
        return root instanceof MemoryPath path
                ? path.with(action)
                : Outcome.refused(Refusal.INCOMPATIBLE, "the directory is not of this machine");
    }

    private Outcome<EmptiedTree> empty(OperationContext context, MemoryPlace place, TreeRules rules) {
        MemoryNode root = place.node();
        List<MemoryNode> inner = new ArrayList<>();
        int kept = 0;
        for (MemoryNode child : List.copyOf(root.children.values())) {
            if (rules.keep().contains(child.name)) {
                kept++;
            } else if (rules.keepEmptied().contains(child.name)) {
                kept++;
                child.children.values().forEach(below -> collect(below, inner));
            } else {
                collect(child, inner);
            }
        }
        if (!inner.isEmpty() && !disk.writable(place.mountId())) {
            return Outcome.refused(Refusal.DENIED, place.path() + " is read-only");
        }
        if (inner.stream().anyMatch(disk::isMountPoint)
                || !disk.table().below(place.path()).isEmpty()) {
            return Outcome.refused(Refusal.IN_USE, "something is mounted in " + root.root());
        }
        long files = 0;
        for (MemoryNode node : inner) {
            if (context.cancelled() || !context.clock().instant().isBefore(context.deadline())) {
                return Outcome.uncertain("interrupted while emptying " + root.root());
            }
            node.parent.ifPresent(parent -> parent.children.remove(node.name));
            node.gone = true;
            files += node.kind == FileKind.DIRECTORY ? 0 : 1;
        }
        return Outcome.done(new EmptiedTree(files, inner.size() - files, kept));
    }

    /** Inner ones first. */
    private static void collect(MemoryNode node, List<MemoryNode> into) {
        node.children.values().forEach(child -> collect(child, into));
        into.add(node);
    }

    @Override
    public Outcome<OwnedTree> own(OperationContext context, PinnedPath root, OwnershipRule rule) {
        return inside(root, top -> {
            List<MemoryNode> all = new ArrayList<>();
            collect(top.node(), all);
            for (MemoryNode node : all) {
                node.group = rule.group();
                node.mode |= node.kind == FileKind.DIRECTORY ? rule.directoryBits() : rule.fileBits();
            }
            return Outcome.done(new OwnedTree(all.size(), 0, 0));
        });
    }

    @Override
    public Outcome<CopiedTree> copy(OperationContext context, PinnedPath from, PinnedPath to) {
        return inside(
                from,
                source -> inside(to, target -> {
                    long[] counts = new long[3];
                    copyBelow(source.node(), target.node(), counts);
                    return Outcome.done(new CopiedTree(counts[0], counts[1], counts[2]));
                }));
    }

    private void copyBelow(MemoryNode from, MemoryNode to, long[] counts) {
        to.children.values().removeIf(copy -> {
            MemoryNode original = from.children.get(copy.name);
            return original == null || original.kind != copy.kind;
        });
        for (MemoryNode child : List.copyOf(from.children.values())) {
            boolean directory = child.kind == FileKind.DIRECTORY;
            if (!directory && child.kind != FileKind.FILE && child.kind != FileKind.LINK) {
                counts[2]++;
                continue;
            }
            MemoryNode there = to.children.get(child.name);
            MemoryNode copy = there == null ? disk.make(to, child.name, child.kind, child.mode) : there;
            copy.content = child.content.clone();
            copy.link = child.link;
            copy.owner = child.owner;
            copy.group = child.group;
            counts[directory ? 1 : 0]++;
            copyBelow(child, copy, counts);
        }
    }
}
