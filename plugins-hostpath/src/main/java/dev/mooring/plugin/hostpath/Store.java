// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The directory in which volumes are made: {@code v} holds them, {@code r} the ledger, {@code t} what is being deleted.
 *
 * @param path where it is
 * @param volumes the volumes
 * @param trash what is being deleted
 * @param ledger the ledger
 */
record Store(Path path, PinnedPath volumes, PinnedPath trash, Ledger ledger) {
    static final String VOLUMES = "v";
    private static final String RECORDS = "r";
    private static final String TRASH = "t";
    private static final int OTHERS_CAN_WRITE = 0022;

    /** Does something with the store while it is held. */
    static <T> Outcome<T> with(
            OperationContext context, HostPathSettings settings, Function<Store, Outcome<T>> action) {
        Path path = settings.effectiveRoot();
        return opened(context, path).then(root -> {
            try (root) {
                return trusted(root, path).then(held -> withParts(held, path, action));
            }
        });
    }

    /** Never made here: where a disk should be mounted and is not, volumes would be made on another one. */
    private static Outcome<PinnedPath> opened(OperationContext context, Path path) {
        Outcome<PinnedPath> opened = context.host().files().open(path, LinkRule.REFUSE);
        boolean missing =
                opened instanceof Outcome.Refused<PinnedPath> refused && refused.refusal() == Refusal.NOT_FOUND;
        return missing
                ? Outcome.refused(
                        Refusal.NOT_FOUND,
                        path + ", in which volumes are made, is not there: make it, for root alone to write, or set "
                                + HostPathPlugin.NAME + ":root")
                : opened;
    }

    /** Who can write to the root could exchange what is in it: it has to be root's alone. */
    private static Outcome<PinnedPath> trusted(PinnedPath root, Path path) {
        return root.facts().then(facts -> {
            boolean good =
                    facts.kind() == FileKind.DIRECTORY && facts.owner() == 0 && (facts.mode() & OTHERS_CAN_WRITE) == 0;
            return good
                    ? Outcome.done(root)
                    : Outcome.refused(
                            Refusal.DENIED, path + " is not a directory that belongs to root and only root can write");
        });
    }

    private static <T> Outcome<T> withParts(PinnedPath root, Path path, Function<Store, Outcome<T>> action) {
        return part(
                root,
                VOLUMES,
                0711,
                volumes -> part(
                        root,
                        TRASH,
                        0700,
                        trash -> part(
                                root,
                                RECORDS,
                                0700,
                                records -> action.apply(new Store(path, volumes, trash, new Ledger(records))))));
    }

    private static <T> Outcome<T> part(
            PinnedPath root, String name, int mode, Function<PinnedPath, Outcome<T>> action) {
        return root.makeDirectory(name, mode).map(Made::path).then(pinned -> {
            try (pinned) {
                return action.apply(pinned);
            }
        });
    }
}
