// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What exists on a machine: mounts and files, as sorted lines. Directories of the host count only if something is in them. */
final class MachineInventory {
    private static final int MOST_NAMES = 10_000;
    private static final int SMALL = 1 << 16;

    private final HostServices host;
    private final Path directory;
    private final Set<Path> ofHost;
    private final TreeSet<String> lines = new TreeSet<>();
    private final List<String> texts = new ArrayList<>();

    private MachineInventory(HostServices host, Path directory, Set<Path> ofHost) {
        this.host = host;
        this.directory = directory;
        this.ofHost = ofHost;
    }

    /**
     * Looks at everything below a directory.
     *
     * @param ofHost directories whose empty directories are the host's
     * @param plugin the plugin's own directory, the only one in its parent that counts
     */
    static MachineInventory of(HostServices host, Path directory, Set<Path> ofHost, Path plugin) {
        MachineInventory inventory = new MachineInventory(host, directory, ofHost);
        inventory.mounts();
        Path states = Optional.ofNullable(plugin.getParent()).orElse(directory);
        inventory.below(directory, states);
        if (!plugin.equals(directory)) {
            inventory.below(plugin, Path.of("/nowhere"));
        }
        return inventory;
    }

    Set<String> lines() {
        return lines;
    }

    /** What stands in the small files. */
    List<String> texts() {
        return texts;
    }

    private void mounts() {
        host.mounts()
                .table()
                .result()
                .ifPresent(table -> table.below(directory).stream()
                        .map(MachineInventory::line)
                        .forEach(lines::add));
    }

    private static String line(MountEntry entry) {
        return "mount " + entry.mountPoint() + " of " + entry.source() + " " + entry.root()
                + (entry.readOnly() ? " ro" : " rw");
    }

    private void below(Path top, Path except) {
        if (!top.equals(except)) {
            host.files().open(top, LinkRule.REFUSE).result().ifPresent(path -> {
                try (path) {
                    walk(path, top, except);
                }
            });
        }
    }

    private void walk(PinnedPath parent, Path path, Path except) {
        for (String name : parent.list(MOST_NAMES).result().orElse(List.of())) {
            Path child = path.resolve(name);
            if (child.equals(except)) {
                continue;
            }
            Outcome<PinnedPath> found = parent.child(name);
            found.result()
                    .ifPresentOrElse(
                            pinned -> {
                                try (pinned) {
                                    see(parent, pinned, child, except);
                                }
                            },
                            () -> lines.add("other " + child));
        }
    }

    private void see(PinnedPath parent, PinnedPath pinned, Path path, Path except) {
        FileKind kind = pinned.facts().result().map(FileFacts::kind).orElse(FileKind.FIFO);
        if (kind != FileKind.DIRECTORY) {
            lines.add("file " + path);
            parent.readFile(path.getFileName().toString(), SMALL)
                    .result()
                    .flatMap(content -> content)
                    .ifPresent(content -> texts.add(new String(content, StandardCharsets.UTF_8)));
            return;
        }
        if (ofHost.stream().noneMatch(path::startsWith)) {
            lines.add("directory " + path);
        }
        walk(pinned, path, except);
    }
}
