// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * What may be mounted for pods when a node begins, without another manager of volumes. Pure.
 *
 * @param kubelet the directory below which this process mounts, without symbolic links
 * @param anything whether all that is mounted there is accepted: it is adopted, or was always this process's directory
 * @param records what this process has mounted
 */
record MountsOfNode(Path kubelet, boolean anything, List<Publish> records) {
    /** Copies the list. */
    MountsOfNode {
        records = List.copyOf(records);
    }

    /** With the records of the node's log. */
    static MountsOfNode of(Path kubelet, boolean anything, Collection<? extends RecordEntry> standing) {
        List<Publish> published = standing.stream()
                .flatMap(entry -> entry.match(List::of, stage -> List.<Publish>of()).stream())
                .toList();
        return new MountsOfNode(kubelet, anything, published);
    }

    /**
     * Whether a mount at a place below {@code pods} has a known reason.
     *
     * @param place as the kernel names it; need not be text
     */
    boolean explains(String place) {
        return anything
                || records.stream().anyMatch(each -> isBelow(place, each.target()) || isBelow(place, subPaths(each)));
    }

    private static boolean isBelow(String place, Path directory) {
        return place.equals(directory.toString()) || place.startsWith(directory + "/");
    }

    /** Where parts of a pod's volumes are shown. */
    private Path subPaths(Publish record) {
        return kubelet.resolve("pods").resolve(record.pod().uid()).resolve("volume-subpaths");
    }
}
