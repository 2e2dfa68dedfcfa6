// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.Directories;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The directory in which volumes are made: {@code v} holds them, {@code r} the ledger, {@code t} what is being deleted and
 * copies that are not whole yet, under the names of their volumes. Snapshots have such a directory of their own in it, {@code s}.
 *
 * @param path where it is
 * @param volumes the volumes
 * @param trash what is no volume any more, or not yet
 * @param ledger the ledger
 */
record Store(Path path, PinnedPath volumes, PinnedPath trash, HostPathLedger ledger) {
    static final String VOLUMES = "v";
    private static final String SNAPSHOTS = "s";
    private static final String RECORDS = "r";
    private static final String TRASH = "t";

    /** Does something with the store while it is held. */
    static <T> Outcome<T> with(
            OperationContext context, HostPathSettings settings, Function<Store, Outcome<T>> action) {
        Path path = settings.effectiveRoot();
        // who can write to the root could exchange what is in it
        return Directories.use(
                opened(context, path),
                root -> Directories.requireRootOnly(root, path.toString())
                        .then(nothing -> withParts(root, path, action)));
    }

    /** Does something with the store of snapshots, too, while both are held. */
    static <T> Outcome<T> withSnapshots(
            OperationContext context, HostPathSettings settings, BiFunction<Store, Store, Outcome<T>> action) {
        Path path = settings.effectiveRoot();
        return Directories.use(
                opened(context, path),
                root -> Directories.requireRootOnly(root, path.toString())
                        .then(nothing -> withParts(
                                root,
                                path,
                                store -> Directories.make(
                                        root,
                                        SNAPSHOTS,
                                        0700,
                                        below -> withParts(
                                                below,
                                                path.resolve(SNAPSHOTS),
                                                snapshots -> action.apply(store, snapshots))))));
    }

    /** Never made here: where a disk should be mounted and is not, volumes would be made on another one. */
    private static Outcome<PinnedPath> opened(OperationContext context, Path path) {
        Outcome<PinnedPath> opened = context.host().files().open(path, LinkRule.REFUSE);
        return opened.isRefused(Refusal.NOT_FOUND)
                ? Outcome.refused(
                        Refusal.NOT_FOUND,
                        path + ", in which volumes are made, is not there: make it, for root alone to write, or set "
                                + HostPathPlugin.NAME + ":root")
                : opened;
    }

    private static <T> Outcome<T> withParts(PinnedPath root, Path path, Function<Store, Outcome<T>> action) {
        return Directories.make(
                root,
                VOLUMES,
                0711,
                volumes -> Directories.make(
                        root,
                        TRASH,
                        0700,
                        trash -> Directories.make(
                                root,
                                RECORDS,
                                0700,
                                records ->
                                        action.apply(new Store(path, volumes, trash, new HostPathLedger(records))))));
    }
}
