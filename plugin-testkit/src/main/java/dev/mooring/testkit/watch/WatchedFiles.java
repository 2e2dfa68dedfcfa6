// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;

/** Files of which it is known what became of them. */
record WatchedFiles(HostWatch watch, HostFiles real) implements HostFiles {
    @Override
    public Outcome<PinnedPath> open(Path path, LinkRule links) {
        return watch.look(() -> real.open(path, links)).map(found -> new WatchedPath(watch, found));
    }

    @Override
    public Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode) {
        return watch.change(
                "making " + path,
                () -> real.openOrMake(path, links, kind, mode).map(made -> WatchedPath.watched(watch, made)));
    }

    @Override
    public Outcome<EmptiedTree> empty(OperationContext context, PinnedPath root, TreeRules rules) {
        return watch.change("emptying a directory", () -> real.empty(context, WatchedPath.real(root), rules));
    }

    @Override
    public Outcome<OwnedTree> own(OperationContext context, PinnedPath root, OwnershipRule rule) {
        return watch.change("giving a directory to a group", () -> real.own(context, WatchedPath.real(root), rule));
    }

    @Override
    public Outcome<CopiedTree> copy(OperationContext context, PinnedPath from, PinnedPath to) {
        return watch.change(
                "copying a directory", () -> real.copy(context, WatchedPath.real(from), WatchedPath.real(to)));
    }
}
