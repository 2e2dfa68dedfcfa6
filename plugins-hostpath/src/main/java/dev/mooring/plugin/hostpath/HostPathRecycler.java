// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.DirectoryReferences;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/** Empties the directory of a released volume, if it is no other volume's and not in use on this machine. */
final class HostPathRecycler {
    private static final Set<String> KEPT_EMPTY = Set.of("lost+found");

    private final OperationContext context;
    private final PathPolicy policy;

    HostPathRecycler(OperationContext context, HostPathSettings settings, Lock notes) {
        this.context = context;
        this.policy = new PathPolicy(context, settings, notes);
    }

    Outcome<Nothing> recycle(VolumeSpec volume, Path path) {
        if (context.node().isEmpty()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a hostPath volume is recycled on its node");
        }
        // asked before anything is opened, and again of the path without links
        return policy.mayBeEmptied(path)
                .then(fine -> context.host().files().open(path, LinkRule.REFUSE))
                .then(directory -> {
                    try (directory) {
                        return policy.mayBeEmptied(volume, directory)
                                .then(allowed -> directory.resolved())
                                .then(real -> isDirectory(directory, real))
                                .then(nothing -> new DirectoryReferences(context).none(directory))
                                .then(nothing -> empty(directory));
                    }
                });
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
