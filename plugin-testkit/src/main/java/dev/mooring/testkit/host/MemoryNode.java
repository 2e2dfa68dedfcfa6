// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileFactsBuilder;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.FileKind;
import java.util.Optional;
import java.util.TreeMap;

/** A file of a file system in memory. Guarded by its {@link MemoryDisk}. */
final class MemoryNode {
    final FileKind kind;
    final String device;
    final long inode;
    final TreeMap<String, MemoryNode> children = new TreeMap<>();
    Optional<MemoryNode> parent;
    String name;
    int mode;
    int owner;
    int group;
    byte[] content = new byte[0];
    String link = "";
    /** Whether it has no name any more. */
    boolean gone;

    MemoryNode(FileKind kind, String device, long inode, Optional<MemoryNode> parent, String name, int mode) {
        this.kind = kind;
        this.device = device;
        this.inode = inode;
        this.parent = parent;
        this.name = name;
        this.mode = mode;
    }

    /** Its path within its file system. */
    String root() {
        String above = parent.map(MemoryNode::root).orElse("");
        return parent.isEmpty() ? "/" : (above.equals("/") ? "" : above) + "/" + name;
    }

    FileFacts facts(int mountId) {
        String fileSystem = Integer.toHexString(device.hashCode());
        return FileFactsBuilder.builder()
                .kind(kind)
                .identity(new FileIdentity(fileSystem, inode))
                .mode(mode)
                .owner(owner)
                .group(group)
                .size(content.length)
                .mountId(mountId)
                .build();
    }
}
