// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Empties an export whose claim has gone (semantics/plugins §2.8 R4–R6). */
final class NfsRecycler {
    private static final Set<String> KEPT_EMPTY = Set.of("lost+found");
    /** What the client makes of a file that is removed while a process has it open. */
    private static final String OPEN_FILE = ".nfs";

    private static final int MOST_NAMES = 1000;

    private final OperationContext context;
    private final PrivateMount mount;
    private final NfsSettings settings;

    NfsRecycler(OperationContext context, PrivateMount mount, NfsSettings settings) {
        this.context = context;
        this.mount = mount;
        this.settings = settings;
    }

    Outcome<Nothing> recycle(VolumeSpec volume) {
        if (volume.uid().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "only a PersistentVolume is recycled");
        }
        return NfsSources.export(volume.source())
                .then(export -> mount.with(
                        "scrub-" + volume.uid(),
                        export,
                        volume.mountOptions(),
                        (root, entry) -> new Uses(context).none(export, entry).then(nothing -> empty(root, entry))));
    }

    private Outcome<Nothing> empty(PinnedPath root, MountEntry entry) {
        TreeRules rules = new TreeRules(Optional.empty(), OptionalInt.of(entry.id()), settings.keep(), KEPT_EMPTY);
        return explained(context.host().files().empty(context, root, rules))
                .then(emptied -> root.list(MOST_NAMES))
                .then(this::judge);
    }

    private Outcome<Nothing> judge(List<String> names) {
        List<String> left = names.stream()
                .filter(name -> !settings.keep().contains(name) && !KEPT_EMPTY.contains(name))
                .toList();
        if (left.isEmpty()) {
            return Outcome.done();
        }
        return left.stream().allMatch(name -> name.startsWith(OPEN_FILE))
                ? Outcome.deferred("a process still has files open: " + left.get(0))
                : Outcome.refused(Refusal.IN_USE, "a process still writes: " + left.get(0));
    }

    /** Adds what only NFS can be the reason of. */
    static Outcome<EmptiedTree> explained(Outcome<EmptiedTree> outcome) {
        return outcome.recoverRefused(refused -> {
            if (refused.refusal() == Refusal.DENIED) {
                return Outcome.refused(Refusal.DENIED, refused.why() + " (does the server squash root?)");
            }
            return refused.refusal() == Refusal.IN_USE && refused.why().contains(OPEN_FILE)
                    ? Outcome.deferred("a process still has files open: " + refused.why())
                    : refused;
        });
    }
}
