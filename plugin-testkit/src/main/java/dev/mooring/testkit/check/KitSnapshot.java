// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.VolumeLife;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A snapshot that a check takes, and what the host would know of it. For one thread. */
final class KitSnapshot {
    private final VolumeLife source;
    private final int number;
    private Map<String, String> annotations = Map.of();
    private Optional<SnapshotFacts> facts = Optional.empty();

    /**
     * A snapshot that is not taken yet.
     *
     * @param source whose storage it is of
     * @param number its own number on the bench
     */
    KitSnapshot(VolumeLife source, int number) {
        this.source = source;
        this.number = number;
    }

    private Bench bench() {
        return source.bench();
    }

    private Snapshotting plugin() {
        return source.capability(Snapshotting.class);
    }

    SnapshotRequest request(Map<String, String> parameters) {
        return new SnapshotRequest(
                "snapshot-00000000-0000-4000-9000-" + String.format(Locale.ROOT, "%012d", number),
                ObjectKey.of("kit", "snapshot-" + number),
                content(),
                parameters);
    }

    private String content() {
        return "snapcontent-" + number;
    }

    Outcome<Map<String, String>> plan(Map<String, String> parameters) {
        return bench().call("plan of a snapshot", () -> plugin().planSnapshot(request(parameters)));
    }

    /** Takes it of a volume. */
    Outcome<SnapshotFacts> take(VolumeSpec volume, OperationContext context) {
        SnapshotRequest request = request(bench().subject().snapshotParameters());
        Outcome<SnapshotFacts> taken = bench().call(
                        "create-snapshot",
                        () -> plugin().planSnapshot(request).then(noted -> {
                            annotations = noted;
                            return plugin().createSnapshot(context, request, volume);
                        }));
        taken.result().ifPresent(known -> facts = Optional.of(known));
        return taken;
    }

    Outcome<SnapshotFacts> take() {
        return VolumeLife.patiently(() -> take(source.spec(), source.context("create-snapshot")));
    }

    /** How the host names it. */
    SnapshotRef ref() {
        return new SnapshotRef(content(), facts.map(SnapshotFacts::handle).orElse("kit-unknown"), annotations);
    }

    ContentSource content(SnapshotRef taken) {
        return new ContentSource.OfSnapshot(taken);
    }

    Outcome<Optional<SnapshotFacts>> find() {
        return VolumeLife.patiently(() ->
                bench().call("find-snapshot", () -> plugin().findSnapshot(source.context("find-snapshot"), ref())));
    }

    Outcome<Nothing> delete() {
        return VolumeLife.patiently(() -> delete(source.context("delete-snapshot")));
    }

    Outcome<Nothing> delete(OperationContext context) {
        return bench().call("delete-snapshot", () -> plugin().deleteSnapshot(context, ref()));
    }
}
