// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A published mount, by what is remembered of it. The kernel gives the number of a mount that has gone to the next one, so where the root
 * is another than the remembered one, the number proves nothing: what is shown does (semantics/plugins §1.4). Of a directory of an NFS
 * mount nothing is remembered but the device: there the kernel calls every root {@code /}.
 */
public final class PublishedMount {
    private PublishedMount() {}

    /**
     * Unmounts it; what else is mounted there stays and is IN_USE.
     *
     * @param recognising finds out what may be unmounted if nothing is remembered, since the answer of the call was lost
     */
    public static Outcome<Nothing> unmount(
            OperationContext context, Path target, PluginState state, Supplier<Outcome<MountExpectation>> recognising) {
        return state.equals(PluginState.NONE)
                ? recognising.get().then(expected -> unmount(context, target, expected))
                : remembered(context, target, state);
    }

    private static Outcome<Nothing> remembered(OperationContext context, Path target, PluginState state) {
        return PublishedState.parse(state).then(published -> {
            Outcome<Nothing> gone = unmount(context, target, published.expectation());
            return gone.isRefused(Refusal.IN_USE)
                    ? renamed(context, target, published)
                            .then(found -> found.map(
                                            entry -> unmount(context, target, MountExpectation.of(entry, true)))
                                    .orElse(gone))
                    : gone;
        });
    }

    private static Outcome<Nothing> unmount(OperationContext context, Path target, MountExpectation expected) {
        return context.host().mounts().unmount(context, target, expected, UnmountForce.NONE);
    }

    /** What is mounted there, if it shows what was published under another name. */
    private static Outcome<Optional<MountEntry>> renamed(
            OperationContext context, Path target, PublishedState published) {
        return context.host().files().open(target, LinkRule.FOLLOW).then(opened -> {
            try (opened) {
                return opened.facts()
                        .then(facts -> context.host()
                                .mounts()
                                .entryOf(opened)
                                .map(entry -> Optional.of(entry)
                                        .filter(published::mayBeRenamed)
                                        .filter(same -> published.isShown(facts.identity()))));
            }
        });
    }
}
