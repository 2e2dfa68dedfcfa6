// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.PinnedPath;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Limits for directories of a share that this machine serves itself, from a file system that counts (semantics/plugins §2.9). NFS has no
 * call for it, so the directory is looked for at the export's path here. That it is the same one is proven by the ledger, which says here
 * what it says over NFS, and by the number of the directory.
 */
final class LocalQuota {
    private static final Set<String> COUNTING = Set.of("ext4", "xfs");

    private final OperationContext context;
    private final Export share;
    private final String volume;

    LocalQuota(OperationContext context, Export share, String volume) {
        this.context = context;
        this.share = share;
        this.volume = volume;
    }

    /**
     * Lets a directory hold at least so much and no more.
     *
     * @param entry what the ledger says over NFS
     * @param inode the directory's number over NFS
     * @return the limit
     */
    Outcome<Quantity> limit(NfsLedgerEntry entry, long inode, Quantity atLeast) {
        BigInteger bytes = atLeast.valueRoundedUp();
        if (bytes.bitLength() >= Long.SIZE) {
            return Outcome.refused(Refusal.INVALID, atLeast + " is more than a file system can hold");
        }
        return here(
                        entry.path(),
                        entry,
                        inode,
                        directory -> context.host().quotas().limit(directory, volume, bytes.longValue()))
                .map(Quantity::ofBytes);
    }

    /** Takes the limit away from a directory that is about to go. Where it cannot be found that is no reason to keep the directory. */
    Outcome<Nothing> lift(String path, NfsLedgerEntry entry, long inode) {
        Outcome<Nothing> lifted =
                here(path, entry, inode, directory -> context.host().quotas().lift(directory, volume));
        return lifted.recoverRefused(refused -> Outcome.done());
    }

    private <T> Outcome<T> here(String path, NfsLedgerEntry entry, long inode, Function<PinnedPath, Outcome<T>> work) {
        Path local = Path.of(share.path());
        return context.host()
                .mounts()
                .table()
                .then(table -> counts(table, local))
                .then(nothing -> context.host().files().open(local, LinkRule.REFUSE))
                .then(root -> {
                    try (root) {
                        return isShare(root, entry).then(nothing -> found(root, path, inode, work));
                    }
                })
                .recoverRefused(refused -> Outcome.refused(
                        refused.refusal() == Refusal.NOT_FOUND ? Refusal.UNSUPPORTED : refused.refusal(),
                        "quota=project needs the share " + share + " on this machine: " + refused.why()));
    }

    /** Looked up and not tried: at that path could be a mount of a server that does not answer. */
    private static Outcome<Nothing> counts(MountTable table, Path local) {
        Optional<MountEntry> mount = Optional.empty();
        for (Path path = local; mount.isEmpty() && path != null; path = path.getParent()) {
            mount = table.top(path);
        }
        String type = mount.map(MountEntry::fsType).orElse("nothing");
        return COUNTING.contains(type)
                ? Outcome.done()
                : Outcome.refused(Refusal.UNSUPPORTED, local + " is on " + type + ", which has no project quotas");
    }

    private Outcome<Nothing> isShare(PinnedPath root, NfsLedgerEntry entry) {
        return Share.known(root, volume)
                .then(here -> here.equals(Optional.of(entry))
                        ? Outcome.done()
                        : Outcome.refused(Refusal.UNSUPPORTED, share.path() + " is something else here"));
    }

    private <T> Outcome<T> found(PinnedPath root, String path, long inode, Function<PinnedPath, Outcome<T>> work) {
        return root.child(path).then(directory -> {
            try (directory) {
                return directory
                        .facts()
                        .then(facts -> facts.identity().inode() == inode
                                ? work.apply(directory)
                                : Outcome.refused(Refusal.UNSUPPORTED, path + " is another directory here"));
            }
        });
    }

    /** Raises the limit of a volume, whose directory has to be the recorded one. */
    Outcome<Quantity> raise(Share opened, String relative, Quantity wanted) {
        return opened.ledger().find(volume).then(found -> {
            Optional<NfsLedgerEntry> entry = found.filter(there ->
                    there.state() == NfsLedgerEntry.State.READY && there.path().equals(relative));
            OptionalLong inode = entry.map(NfsLedgerEntry::inode).orElse(OptionalLong.empty());
            return inode.isEmpty()
                    ? Outcome.refused(Refusal.DENIED, "the ledger of the share does not know " + volume)
                    : limit(entry.orElseThrow(), inode.getAsLong(), wanted);
        });
    }
}
