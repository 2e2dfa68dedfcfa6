// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.Directories;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Whose the ledger of a share is: a user who made it, or can write to it, could have anything deleted. It is believed if it is root's, or
 * that of which user the server takes this machine's root for; a file that is made for it shows that.
 */
final class ShareOwnership {
    private static final int ROOT = 0;
    private static final int PRIVATE = 0600;

    private final OperationContext context;
    private final PinnedPath root;
    private final String probe;

    /**
     * The owners of a share.
     *
     * @param root the share
     * @param volume for which volume it is opened: one call at a time
     */
    ShareOwnership(OperationContext context, PinnedPath root, String volume) {
        this.context = context;
        this.root = root;
        this.probe = ".mooring-owner-" + UUID.nameUUIDFromBytes(volume.getBytes(StandardCharsets.UTF_8));
    }

    /** Done if no other user can have written to a directory; else DENIED. */
    Outcome<Nothing> requireOurs(PinnedPath directory, String name) {
        return directory.facts().then(facts -> {
            if (Directories.othersCanWrite(facts)) {
                return Outcome.refused(
                        Refusal.DENIED, "others can write to " + name + " of the share, so it proves nothing");
            }
            if (facts.owner() == ROOT) {
                return Outcome.done();
            }
            return self().then(self -> facts.owner() == self
                    ? Outcome.done()
                    : Outcome.refused(
                            Refusal.DENIED,
                            name + " of the share is not of our making but user " + facts.owner()
                                    + "'s, so it proves nothing"));
        });
    }

    /** The owner of what is made from here. The file is held by the descriptor that made it: no other file can take its place. */
    private Outcome<Integer> self() {
        return root.removeFile(probe)
                .then(nothing -> root.resolved())
                .then(path ->
                        context.host().files().openOrMake(path.resolve(probe), LinkRule.REFUSE, FileKind.FILE, PRIVATE))
                .then(ShareOwnership::ownerOf)
                .then(owner -> root.removeFile(probe).map(nothing -> owner));
    }

    private static Outcome<Integer> ownerOf(Made made) {
        try (PinnedPath file = made.path()) {
            return made.isNew()
                    ? file.facts().map(facts -> facts.owner())
                    : Outcome.deferred("another program makes files with our names on the share");
        }
    }
}
