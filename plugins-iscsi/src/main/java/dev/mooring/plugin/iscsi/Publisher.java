// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics.Usage;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileSystemSpace;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Shows the staged file system to pods. */
final class Publisher {
    private static final int SCHEMA = 1;

    private final OperationContext context;

    Publisher(OperationContext context) {
        this.context = context;
    }

    Outcome<PluginState> publish(PublishRequest request, VolumeId volume) {
        if (request.stagingPath().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "an iSCSI volume is published from where it is staged");
        }
        Path staged = request.stagingPath().get();
        return context.host().files().open(staged, LinkRule.REFUSE).then(pinned -> {
            try (pinned) {
                return isStaged(pinned, staged, volume)
                        .then(nothing -> context.host()
                                .mounts()
                                .bind(pinned, request.target(), BindOptions.PLAIN.readOnly(request.readOnly())))
                        .map(Publisher::state);
            }
        });
    }

    /** The directory below the mount must never be shown: what is written there is lost. */
    private Outcome<Nothing> isStaged(PinnedPath pinned, Path staged, VolumeId volume) {
        return new Ledger(context.host())
                .find(volume)
                .then(known -> context.host().mounts().entryOf(pinned).then(entry -> {
                    boolean ours = entry.mountPoint().equals(staged)
                            && known.filter(entryOf -> entryOf.mount().equals(entry.device()))
                                    .isPresent();
                    return ours
                            ? Outcome.done()
                            : Outcome.deferred("the volume is not mounted at " + staged + " but " + entry + " is seen");
                }));
    }

    private static PluginState state(MountEntry entry) {
        return new PluginState(SCHEMA, entry.id() + " " + entry.device() + " " + entry.root());
    }

    Outcome<Nothing> unpublish(VolumeId volume, Path target, PluginState state) {
        Outcome<MountExpectation> expected = state.equals(PluginState.NONE)
                ? new Ledger(context.host())
                        .find(volume)
                        .map(known -> known.map(Staged::mount)
                                .filter(device -> !device.isEmpty())
                                .map(device -> expectation(device, Optional.empty(), OptionalInt.empty()))
                                .orElseGet(() -> MountExpectation.nothing()))
                : recorded(state);
        return expected.then(
                expectation -> context.host().mounts().unmount(context, target, expectation, UnmountForce.NONE));
    }

    private static Outcome<MountExpectation> recorded(PluginState state) {
        String[] parts = state.content().split(" ", 3);
        return state.schema() == SCHEMA && parts.length == 3 && parts[0].matches("\\d{1,9}")
                ? Outcome.done(expectation(parts[1], Optional.of(parts[2]), OptionalInt.of(Integer.parseInt(parts[0]))))
                : Outcome.refused(Refusal.CORRUPT, "the recorded state is not one of this plugin: " + state.content());
    }

    private static MountExpectation expectation(String device, Optional<String> root, OptionalInt id) {
        return new MountExpectation(Optional.empty(), Optional.empty(), Optional.of(device), root, id, true);
    }

    Outcome<Usage> usage(Path path) {
        return context.host().files().open(path, LinkRule.FOLLOW).then(pinned -> {
            try (pinned) {
                return pinned.space().map(Publisher::usage);
            }
        });
    }

    private static Usage usage(FileSystemSpace space) {
        return new Usage(
                space.capacityBytes(), space.usedBytes(), space.availableBytes(), space.inodes(), space.freeInodes());
    }
}
