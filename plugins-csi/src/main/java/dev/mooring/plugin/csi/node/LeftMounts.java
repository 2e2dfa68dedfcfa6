// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;

/** What drivers leave behind when they unpublish and unstage, and what they say of volumes that they no longer know. */
final class LeftMounts {
    private LeftMounts() {}

    /** Takes "no such volume" for done if nothing is mounted at the place. */
    static Outcome<Nothing> unlessGone(OperationContext context, Outcome<Nothing> answer, Path place) {
        return answer.isRefused(Refusal.NOT_FOUND)
                ? context.host()
                        .mounts()
                        .mountedIn(place)
                        .then(mounted -> mounted.entries().isEmpty() ? Outcome.done() : answer)
                : answer;
    }

    /** Removes an empty directory or a file that a driver left; a mount point stays, and is reported. */
    static Outcome<Nothing> remove(OperationContext context, Path place) {
        Path parent = place.getParent();
        Path name = place.getFileName();
        if (parent == null || name == null) {
            return Outcome.done();
        }
        Outcome<Nothing> removed = context.host()
                .files()
                .open(parent, LinkRule.REFUSE)
                .then(directory -> {
                    try (directory) {
                        Outcome<Nothing> asDirectory = directory.removeDirectory(name.toString());
                        return asDirectory.isRefused(Refusal.INCOMPATIBLE)
                                ? directory.removeFile(name.toString())
                                : asDirectory;
                    }
                });
        return removed.isRefused(Refusal.NOT_FOUND) ? Outcome.done() : removed;
    }
}
