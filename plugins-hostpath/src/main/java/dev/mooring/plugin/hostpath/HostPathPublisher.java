// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.PublishedMount;
import dev.mooring.plugin.support.SourceChecks;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Shows a path by pinning it: the object is found once, judged by its descriptor, and exactly that object is mounted at the target. So
 * it makes no difference who exchanges a link in between (#61043).
 */
final class HostPathPublisher {
    /** The state of a path that the pod has as it is; the mounts have the schemas of {@link PublishedMount}. */
    private static final int PATH_SCHEMA = 2;

    private final OperationContext context;
    private final HostPathSettings settings;
    private final PathPolicy policy;

    HostPathPublisher(OperationContext context, HostPathSettings settings, Lock notes) {
        this.context = context;
        this.settings = settings;
        this.policy = new PathPolicy(context, settings, notes);
    }

    Outcome<PluginState> publish(PublishRequest request, HostPathSource source) {
        if (request.volume().mode() == VolumeMode.BLOCK) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a hostPath volume has no block mode");
        }
        if (!request.volume().mountOptions().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "a hostPath volume has no mount options");
        }
        Path path = SourceChecks.normalised(source.path());
        PathType type = PathType.of(source.type()).orElse(PathType.ANYTHING);
        return find(request, path, type).then(pinned -> {
            try (pinned) {
                return judge(request, pinned, path, type)
                        .then(facts -> request.bidirectional()
                                ? leave(request, pinned, facts)
                                : pin(request, pinned).map(entry -> PublishedMount.state(entry, facts.identity())));
            }
        });
    }

    private Outcome<MountEntry> pin(PublishRequest request, PinnedPath pinned) {
        return context.host().mounts().bind(pinned, request.target(), BindOptions.TREE.readOnly(request.readOnly()));
    }

    /**
     * The path itself, checked, is what the pod gets: a pinned tree that shares its mounts with the host would take the host's mounts
     * away when it goes.
     */
    private Outcome<PluginState> leave(PublishRequest request, PinnedPath pinned, FileFacts facts) {
        if (request.readOnly()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    "a path that a container has with Bidirectional propagation cannot be made read-only");
        }
        return context.host()
                .mounts()
                .mayShare(pinned)
                .then(allowed -> context.host().mounts().table())
                .then(table -> table.top(request.target())
                        .<Outcome<PluginState>>map(entry -> Outcome.refused(
                                Refusal.INCOMPATIBLE, "the path is pinned for this pod already: " + entry))
                        .orElseGet(() ->
                                Outcome.done(new PluginState(PATH_SCHEMA, facts.kind() + " " + facts.identity()))));
    }

    private Outcome<PinnedPath> find(PublishRequest request, Path path, PathType type) {
        Outcome<PinnedPath> there = context.host().files().open(path, settings.links());
        boolean missing = there.isRefused(Refusal.NOT_FOUND);
        if (!missing || !type.creates()) {
            return there;
        }
        return mayCreate(request, path)
                .then(nothing -> context.host()
                        .files()
                        .openOrMake(path, settings.links(), type.kind().orElse(FileKind.DIRECTORY), type.createMode()))
                .map(Made::path);
    }

    /** Looks where the missing part would be made, so that nothing is made in a place that is denied afterwards. */
    private Outcome<Nothing> mayCreate(PublishRequest request, Path path) {
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            Path missing = above.relativize(path);
            Optional<Outcome<Nothing>> verdict = context.host()
                    .files()
                    .open(above, settings.links())
                    .result()
                    .map(pinned -> {
                        try (pinned) {
                            return policy.mayBeShown(request.volume(), pinned, missing, request.readOnly());
                        }
                    });
            if (verdict.isPresent()) {
                return verdict.get();
            }
        }
        return Outcome.done();
    }

    private Outcome<FileFacts> judge(PublishRequest request, PinnedPath pinned, Path path, PathType type) {
        return policy.mayBeShown(request.volume(), pinned, Path.of(""), request.readOnly())
                .then(nothing -> pinned.facts())
                .then(facts -> {
                    FileKind wanted = type.kind().orElse(facts.kind());
                    return wanted == facts.kind()
                            ? Outcome.done(facts)
                            : Outcome.refused(
                                    Refusal.INCOMPATIBLE,
                                    path + " is a " + facts.kind() + ", but " + type.text() + " was asked for");
                });
    }

    /** Removes only what was mounted by {@link #publish}; files made for an OrCreate type stay, since they are the user's. */
    Outcome<Nothing> unpublish(VolumeId volume, Path target, PluginState state) {
        if (state.schema() == PATH_SCHEMA) {
            return Outcome.done(); // nothing was mounted
        }
        return PublishedMount.unmount(context, target, state, () -> expectationFromPath(volume, target));
    }

    /** The answer to publish was lost: what is mounted at the target is ours if it shows what the volume's path leads to. */
    private Outcome<MountExpectation> expectationFromPath(VolumeId volume, Path target) {
        return context.host()
                .files()
                .open(target, LinkRule.FOLLOW)
                .match(
                        done -> {
                            try (PinnedPath shown = done.value()) {
                                return recognise(volume, shown);
                            }
                        },
                        // nothing there: whatever is expected, nothing is unmounted
                        refused -> Outcome.done(MountExpectation.nothing()),
                        uncertain -> Outcome.uncertain(uncertain.why()),
                        deferred -> Outcome.deferred(deferred.why()),
                        elsewhere -> Outcome.uncertain(elsewhere.why()));
    }

    private Outcome<MountExpectation> recognise(VolumeId volume, PinnedPath shown) {
        return context.host()
                .mounts()
                .entryOf(shown)
                .then(entry -> shown.resolved().then(place -> {
                    if (!entry.mountPoint().equals(place)) {
                        return Outcome.done(MountExpectation.nothing());
                    }
                    Outcome<FileFacts> original = context.host()
                            .files()
                            .open(Path.of(volume.backend()), LinkRule.FOLLOW)
                            .then(pinned -> {
                                try (pinned) {
                                    return pinned.facts();
                                }
                            });
                    boolean ours = original.result()
                            .flatMap(facts -> shown.facts()
                                    .result()
                                    .map(FileFacts::identity)
                                    .filter(facts.identity()::equals))
                            .isPresent();
                    return ours ? Outcome.done(MountExpectation.of(entry, true)) : PublishedMount.unproven(entry);
                }));
    }
}
