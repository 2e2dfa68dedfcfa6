// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which mounts the kernel takes away together with another one: those at the same place in a peer of what that one is mounted on, or in
 * what receives its mounts. A bind is a peer of what it shows on many a machine, and stays nevertheless. Pure.
 */
record Propagation(MountTable table) {
    boolean goesWith(MountEntry mount, MountEntry other) {
        Optional<MountEntry> under = table.byId(mount.parent());
        Optional<MountEntry> underOther = table.byId(other.parent());
        if (under.isEmpty() || underOther.isEmpty()) {
            // On what they are mounted is not told, as within a chroot; each may be the other's copy.
            return receives(mount, other);
        }
        return receives(under.get(), underOther.get())
                && placeIn(under.get(), mount).equals(placeIn(underOther.get(), other));
    }

    /** The place in the file system on which something is mounted, which does not depend on where that is seen. */
    private static String placeIn(MountEntry under, MountEntry mount) {
        String below = under.mountPoint().relativize(mount.mountPoint()).toString();
        return under.root().endsWith("/") ? under.root() + below : under.root() + "/" + below;
    }

    private boolean receives(MountEntry from, MountEntry to) {
        if (from.peerGroup().isEmpty()) {
            return false;
        }
        Set<Long> groups = new HashSet<>(Set.of(from.peerGroup().getAsLong()));
        boolean grown = true;
        while (grown) {
            grown = false;
            for (MountEntry each : table.entries()) {
                grown |= isIn(each.master(), groups)
                        && each.peerGroup().isPresent()
                        && groups.add(each.peerGroup().getAsLong());
            }
        }
        return isIn(to.peerGroup(), groups) || isIn(to.master(), groups);
    }

    private static boolean isIn(OptionalLong group, Set<Long> groups) {
        return group.isPresent() && groups.contains(group.getAsLong());
    }
}
