// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.volumemanager.look.BoundedLooks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Gives published volumes to the groups of pods (semantics/attach-and-mount §3.11). A volume may be on a server that does not answer. So its
 * root is looked at first, as the way to a sub-path is; the walk runs in a thread of its own, and changes nothing any more once its call was
 * given up. A walk may take long and hold up no other, so only walks of the same target wait for each other. Thread-safe.
 */
final class GroupWalks {
    /** More walks than this at once are a broken machine: no call pool lets so many begin. */
    private static final int MOST = 128;
    /** A walk that is not held up ends by itself at its deadline, and notes how far it came. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final BoundedLooks looks;
    private final BoundedLooks walks = new BoundedLooks(BoundedLooks.ownThreads(), MOST);

    /**
     * No walk runs yet.
     *
     * @param looks shared with all that looks into volumes of the node
     */
    GroupWalks(BoundedLooks looks) {
        this.looks = looks;
    }

    /** What is known of the root of a volume; deferred if its server does not answer. */
    Outcome<FileFacts> root(OperationContext context, PublishCall call) {
        return dependency(context, call).then(dependency -> root(context, dependency, call));
    }

    private static Outcome<String> dependency(OperationContext context, PublishCall call) {
        return context.host().mounts().table().map(table -> SubPaths.dependency(table, target(call)));
    }

    private static Path target(PublishCall call) {
        return call.request().target();
    }

    private Outcome<FileFacts> root(OperationContext context, String dependency, PublishCall call) {
        Outcome<FileFacts> looked = looks.look(
                dependency,
                SubPaths.TURN,
                () -> SubPaths.patience(context),
                awaited -> context.host()
                        .files()
                        .open(target(call), LinkRule.FOLLOW)
                        .then(root -> {
                            try (root) {
                                return root.facts();
                            }
                        }),
                facts -> {});
        return told(looked, Outcome.deferred(message(call, looked.message())));
    }

    /** Gives a volume to its pod's group. */
    Outcome<Nothing> give(OperationContext context, PublishCall call) {
        return dependency(context, call)
                .then(dependency -> root(context, dependency, call).then(root -> walk(context, dependency, call)));
    }

    private Outcome<Nothing> walk(OperationContext context, String dependency, PublishCall call) {
        Outcome<Nothing> walked = walks.look(
                target(call).toString(),
                Duration.ZERO,
                () -> left(context).plus(GRACE),
                awaited -> walk(context, call, awaited),
                nothing -> {});
        return told(
                walked,
                Outcome.uncertain(message(
                        call,
                        dependency + " does not answer, or answers too slowly; what of it was"
                                + " given to the group is not known")));
    }

    private static Duration left(OperationContext context) {
        return Duration.between(context.clock().instant(), context.deadline());
    }

    private static Outcome<Nothing> walk(OperationContext context, PublishCall call, BooleanSupplier awaited) {
        OwnershipRule rule = new OwnershipRule(
                call.setup().group().orElseThrow(), false, call.setup().onlyIfRootDiffers());
        OperationContext own = new AwaitedContext(context, awaited);
        return context.host()
                .files()
                .open(target(call), LinkRule.FOLLOW)
                .then(volume -> {
                    try (volume) {
                        return context.host().files().own(own, volume, rule);
                    }
                })
                .map(owned -> Nothing.NOTHING);
    }

    /** Names the volume where an answer did not come. */
    private static <T> Outcome<T> told(Outcome<T> answer, Outcome<T> instead) {
        return answer.recoverDeferred(deferred -> instead);
    }

    private static String message(PublishCall call, String why) {
        return "volume \"" + call.record().podVolume() + "\" cannot be given to group "
                + call.setup().group().orElseThrow() + ": " + why;
    }
}
