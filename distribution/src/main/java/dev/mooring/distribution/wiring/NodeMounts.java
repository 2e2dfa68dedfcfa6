// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.host.linux.RootMount;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node needs of this machine's mounts while it looks after volumes: its root as a mount of its own, and the table followed. What this
 * process may not have is left out. What is mounted stays when it is closed.
 */
public final class NodeMounts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMounts.class);

    private final Optional<RootMount> root;
    private final Optional<MountTableFeed> feed;

    private NodeMounts(Optional<RootMount> root, Optional<MountTableFeed> feed) {
        this.root = root;
        this.feed = feed;
    }

    /**
     * Begins, before anything is mounted.
     *
     * @param host this machine; empty if it is no Linux
     * @param root below it volumes are mounted for pods
     */
    public static NodeMounts of(Optional<LinuxHost> host, Path root) {
        return new NodeMounts(
                host.flatMap(linux -> separated(linux, root)),
                host.flatMap(linux -> linux.followMounts().result()));
    }

    private static Optional<RootMount> separated(LinuxHost host, Path root) {
        if (!host.capabilities().has(HostFeature.ROOT)) {
            return Optional.empty(); // nothing is mounted then
        }
        Outcome<RootMount> made = host.separate(root);
        if (!made.isDone()) {
            LOG.warn(
                    "{} cannot be made a mount of its own: {}. A hostPath volume of a directory above it may show and keep what"
                            + " other pods have mounted. Give this process the right to mount (CAP_SYS_ADMIN), and start it again",
                    root,
                    made.message());
        }
        return made.result();
    }

    /** Follows the mount table; empty if that is not possible here. */
    public Optional<MountTableFeed> feed() {
        return feed;
    }

    @Override
    public void close() {
        feed.ifPresent(MountTableFeed::close);
        root.ifPresent(RootMount::close);
    }
}
