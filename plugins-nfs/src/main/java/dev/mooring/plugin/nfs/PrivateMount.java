// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An export that is mounted for the plugin's own work, below its state directory, where no pod sees it (semantics/plugins §2.8 R4). A
 * server that does not answer makes the work fail instead of hanging it. What a crash leaves behind is found at the same place by the
 * next attempt.
 */
final class PrivateMount {
    private static final String WORK = "work";
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");
    private static final List<String> OURS = List.of("soft", "timeo=100", "retrans=3", "nosuid", "nodev", "noexec");
    private static final Set<String> OURS_TO_DECIDE = Set.of(
            NfsMountOptions.ACCESS, NfsMountOptions.RECOVERY, "timeo", "retrans", "suid", "dev", "exec", "retry");

    /** What is done with the mounted export. */
    interface Work<T> {
        /** Does it; the root is closed afterwards. */
        Outcome<T> on(PinnedPath root, MountEntry entry);
    }

    private final OperationContext context;
    private final ExportMount mounter;
    private final Unpublisher unpublisher;

    PrivateMount(OperationContext context, ExportMount mounter, Unpublisher unpublisher) {
        this.context = context;
        this.mounter = mounter;
        this.unpublisher = unpublisher;
    }

    /** Where the private mounts of this machine are. */
    private static Outcome<Path> directory(OperationContext context) {
        return context.host().stateDirectory(NfsPlugin.NAME).map(state -> state.resolve(WORK));
    }

    /**
     * Works on an export while it is mounted.
     *
     * @param key names the work: the same for every attempt
     * @param userOptions options of the volume or class
     */
    <T> Outcome<T> with(String key, Export export, List<String> userOptions, Work<T> work) {
        if (!KEY.matcher(key).matches()) {
            return Outcome.refused(Refusal.INVALID, "'" + key + "' cannot name a directory");
        }
        return NfsMountOptions.of(options(userOptions), false)
                .then(options -> place().then(directory -> mounter.mount(export, directory.resolve(key), options, false)
                        .then(entry -> finish(
                                export, entry, directory.resolve(key), worked(directory.resolve(key), entry, work)))));
    }

    private static List<String> options(List<String> user) {
        List<String> all = new ArrayList<>(user.stream()
                .filter(word -> !OURS_TO_DECIDE.contains(
                        NfsMountOptions.Setting.of(word).key()))
                .toList());
        all.addAll(OURS);
        return all;
    }

    private Outcome<Path> place() {
        return directory(context)
                .then(directory -> context.host()
                        .files()
                        .openOrMake(directory, LinkRule.FOLLOW, FileKind.DIRECTORY, 0700)
                        .then(made -> {
                            try (PinnedPath opened = made.path()) {
                                return opened.resolved();
                            }
                        }));
    }

    private <T> Outcome<T> worked(Path place, MountEntry entry, Work<T> work) {
        return context.host().files().open(place, LinkRule.REFUSE).then(root -> {
            try (root) {
                return root.facts().then(facts -> {
                    boolean onIt = facts.mountId() == 0 || facts.mountId() == entry.id();
                    return onIt
                            ? work.on(root, entry)
                            : Outcome.refused(Refusal.CORRUPT, place + " is not on the mount of " + entry.source());
                });
            }
        });
    }

    /** Nothing is certain while it stays mounted: the work is repeated then, and finds what was done. */
    private <T> Outcome<T> finish(Export export, MountEntry entry, Path place, Outcome<T> result) {
        Outcome<Nothing> unmounted = MountTarget.of(context, place).then(target -> {
            try (target) {
                PublishedState state = PublishedState.of(entry, Optional.empty(), false);
                return unpublisher.unpublish(target, state);
            }
        });
        if (unmounted.isDone()) {
            return result;
        }
        String work = result.isDone() ? "" : result.message() + "; ";
        return Outcome.uncertain(work + new VolumeId(NfsPlugin.NAME, export.source()) + " is still mounted at " + place
                + ": " + unmounted.message());
    }
}
