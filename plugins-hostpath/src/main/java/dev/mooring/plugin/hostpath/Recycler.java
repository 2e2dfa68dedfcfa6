// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Empties the directory of a released volume, if it is nobody else's and nobody uses it on this machine. */
final class Recycler {
    private static final Set<String> KEPT_EMPTY = Set.of("lost+found");

    private final OperationContext context;
    private final HostPathSettings settings;
    private final PathPolicy policy;

    Recycler(OperationContext context, HostPathSettings settings) {
        this.context = context;
        this.settings = settings;
        this.policy = new PathPolicy(context, settings);
    }

    Outcome<Nothing> recycle(Path path) {
        if (context.node().isEmpty()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a hostPath volume is recycled on its node");
        }
        // asked before anything is opened, and again of the path without links
        return allowed(path)
                .then(fine -> context.host().files().open(path, LinkRule.REFUSE))
                .then(directory -> {
                    try (directory) {
                        return directory
                                .resolved()
                                .then(this::allowed)
                                .then(real -> isDirectory(directory, real))
                                .then(nothing -> new References(context).none(directory))
                                .then(nothing -> empty(directory));
                    }
                });
    }

    /** A provisioned directory lies in the plugin's own root, where nothing else may be emptied. */
    private Outcome<Path> allowed(Path path) {
        boolean ours = settings.effectiveRoot().resolve(Store.VOLUMES).equals(path.getParent());
        return ours ? Outcome.done(path) : policy.mayBeEmptied(path);
    }

    private static Outcome<Nothing> isDirectory(PinnedPath directory, Path real) {
        return directory
                .facts()
                .then(facts -> facts.kind() == FileKind.DIRECTORY
                        ? Outcome.done()
                        : Outcome.refused(Refusal.INCOMPATIBLE, real + " is no directory but a " + facts.kind()));
    }

    private Outcome<Nothing> empty(PinnedPath directory) {
        return directory
                .facts()
                .then(facts -> context.host()
                        .files()
                        .empty(
                                context,
                                directory,
                                new TreeRules(
                                        Optional.of(facts.identity()), OptionalInt.empty(), Set.of(), KEPT_EMPTY)))
                .map(emptied -> Nothing.NOTHING);
    }
}
