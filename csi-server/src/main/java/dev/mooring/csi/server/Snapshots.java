// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import com.google.protobuf.Timestamp;
import dev.mooring.csi.server.RpcFailure.Asked;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateSnapshotResponse;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.DeleteSnapshotResponse;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListSnapshotsResponse;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** CSI's calls for snapshots: one for a name, however often it is asked for, whatever was interrupted. */
final class Snapshots {
    private static final String SNAPSHOT_NAME = RequestedNames.KUBERNETES + "volumesnapshot/name";
    private static final String SNAPSHOT_NAMESPACE = RequestedNames.KUBERNETES + "volumesnapshot/namespace";
    private static final String CONTENT_NAME = RequestedNames.KUBERNETES + "volumesnapshotcontent/name";

    private final DriverTraits traits;
    private final RpcRunner rpcs;
    private final VolumeLookup volumes;
    private final SnapshotRecords records;

    Snapshots(DriverTraits traits, RpcRunner rpcs, VolumeLookup volumes, SnapshotRecords records) {
        this.traits = traits;
        this.rpcs = rpcs;
        this.volumes = volumes;
        this.records = records;
    }

    // ------------------------------------------------------------------------------------------ create

    CreateSnapshotResponse create(CreateSnapshotRequest request) throws RpcFailure {
        Snapshotting plugin = traits.need(Snapshotting.class);
        RequestedNames.check(request.getName());
        if (request.getSourceVolumeId().isEmpty()) {
            throw RpcFailure.invalid("source_volume_id is missing");
        }
        SnapshotHandle id = SnapshotHandle.ofName(request.getName());
        SnapshotRecord taken = rpcs.alone(
                id.key(),
                () -> rpcs.reading(VolumeLookup.lock(request.getSourceVolumeId()), () -> take(plugin, id, request)));
        return CreateSnapshotResponse.newBuilder().setSnapshot(told(taken)).build();
    }

    private SnapshotRecord take(Snapshotting plugin, SnapshotHandle id, CreateSnapshotRequest request)
            throws RpcFailure {
        Optional<SnapshotRecord> found = records.find(id);
        if (found.filter(known -> known.phase() == SnapshotRecord.Phase.DELETING)
                .isPresent()) {
            throw RpcFailure.aborted("snapshot " + id + " is being deleted");
        }
        String sourceKey = VolumeLookup.lock(request.getSourceVolumeId());
        if (found.filter(known -> !known.sourceKey().equals(sourceKey)).isPresent()) {
            throw RpcFailure.exists("snapshot " + request.getName() + " exists, of another volume");
        }
        if (found.filter(known -> known.phase() == SnapshotRecord.Phase.TAKEN && known.ready())
                .isPresent()) {
            return found.get();
        }
        Optional<SnapshotRecord> unready = found.filter(known -> known.phase() == SnapshotRecord.Phase.TAKEN);
        if (unready.isPresent() && !volumes.exists(request.getSourceVolumeId())) {
            return ofGoneVolume(plugin, unready.get(), request.getSecretsMap());
        }
        VolumeRecord source = volumes.existing(request.getSourceVolumeId(), Map.of());
        SnapshotRequest asked = asked(id, request);
        Map<String, String> annotations = RpcFailure.orThrow(plugin.planSnapshot(asked), Asked.CONTROLLER);
        SnapshotRecord begun = found.isPresent()
                ? found.get()
                : records.announce(new SnapshotRecord(
                        id,
                        SnapshotRecord.Phase.TAKING,
                        request.getName(),
                        request.getSourceVolumeId(),
                        sourceKey,
                        request.getParametersMap(),
                        asked.contentName(),
                        annotations,
                        "",
                        rpcs.now(),
                        0,
                        false));
        return taken(plugin, begun, asked, source, request.getSecretsMap());
    }

    private SnapshotRecord taken(
            Snapshotting plugin,
            SnapshotRecord begun,
            SnapshotRequest asked,
            VolumeRecord source,
            Map<String, String> secrets)
            throws RpcFailure {
        RpcContext context = rpcs.context("create snapshot " + begun.handle().key(), secrets);
        Outcome<SnapshotFacts> outcome = plugin.createSnapshot(context, asked, source.spec());
        if (outcome.isRefused(Refusal.NOT_FOUND) && begun.phase() == SnapshotRecord.Phase.TAKEN) {
            return ofGoneVolume(plugin, begun, secrets);
        }
        boolean nothingTaken = outcome.isRefused();
        if (nothingTaken && begun.phase() == SnapshotRecord.Phase.TAKING) {
            records.remove(begun.handle());
        }
        SnapshotRecord taken = begun.with(RpcFailure.orThrow(outcome, Asked.CONTROLLER));
        return records.note(traits.bound() ? taken : taken.named(SnapshotHandle.ofSnapshot(taken)));
    }

    /** What was taken is there, though it cannot be taken once more. */
    private SnapshotRecord ofGoneVolume(Snapshotting plugin, SnapshotRecord taken, Map<String, String> secrets)
            throws RpcFailure {
        return seen(plugin, taken, secrets)
                .orElseThrow(() -> RpcFailure.notFound("there is no volume " + taken.source()));
    }

    private static SnapshotRequest asked(SnapshotHandle id, CreateSnapshotRequest request) {
        Map<String, String> given = request.getParametersMap();
        String name = RequestedNames.forPlugin(request.getName(), id.key());
        return new SnapshotRequest(
                name,
                ObjectKey.of(given.getOrDefault(SNAPSHOT_NAMESPACE, ""), given.getOrDefault(SNAPSHOT_NAME, name)),
                given.getOrDefault(CONTENT_NAME, id.key()),
                RequestedNames.parameters(given));
    }

    // ------------------------------------------------------------------------------------------ delete

    DeleteSnapshotResponse delete(DeleteSnapshotRequest request) throws RpcFailure {
        Snapshotting plugin = traits.need(Snapshotting.class);
        if (request.getSnapshotId().isEmpty()) {
            throw RpcFailure.invalid("snapshot_id is missing");
        }
        Optional<SnapshotHandle> id = SnapshotHandle.parse(request.getSnapshotId());
        return id.isEmpty()
                ? DeleteSnapshotResponse.getDefaultInstance()
                : rpcs.destroying(id.get().key(), () -> delete(plugin, id.get(), request.getSecretsMap()));
    }

    private DeleteSnapshotResponse delete(Snapshotting plugin, SnapshotHandle id, Map<String, String> secrets)
            throws RpcFailure {
        Optional<SnapshotRecord> found = records.known(id);
        if (found.isPresent()) {
            SnapshotRecord taken = forCertain(plugin, found.get(), secrets);
            SnapshotRecord begun = records.announceNext(taken.in(SnapshotRecord.Phase.DELETING));
            RpcContext context = rpcs.context("delete snapshot " + id.key(), secrets);
            RpcFailure.orThrow(plugin.deleteSnapshot(context, begun.ref()), Asked.CONTROLLER);
            records.remove(id);
        }
        return DeleteSnapshotResponse.getDefaultInstance();
    }

    /** Takes a snapshot again that was begun: its handle is then known, and the plugin can destroy it. */
    private SnapshotRecord forCertain(Snapshotting plugin, SnapshotRecord record, Map<String, String> secrets)
            throws RpcFailure {
        if (record.phase() != SnapshotRecord.Phase.TAKING) {
            return record;
        }
        CreateSnapshotRequest again = CreateSnapshotRequest.newBuilder()
                .setName(record.name())
                .setSourceVolumeId(record.source())
                .putAllParameters(record.parameters())
                .putAllSecrets(secrets)
                .build();
        return rpcs.reading(record.sourceKey(), () -> take(plugin, record.handle(), again));
    }

    // -------------------------------------------------------------------------------------------- list

    ListSnapshotsResponse list(ListSnapshotsRequest request) throws RpcFailure {
        Snapshotting plugin = traits.need(Snapshotting.class);
        Paging paging = Paging.of(request.getMaxEntries(), request.getStartingToken(), SnapshotHandle::isKey);
        List<SnapshotRecord> all = request.getSnapshotId().isEmpty()
                ? records.taken()
                : one(plugin, request.getSnapshotId(), request.getSecretsMap()).stream()
                        .toList();
        List<SnapshotRecord> wanted = all.stream()
                .filter(record -> request.getSourceVolumeId().isEmpty()
                        || record.sourceKey().equals(VolumeLookup.lock(request.getSourceVolumeId())))
                .toList();
        Paging.Page<SnapshotRecord> page =
                paging.of(wanted, record -> record.handle().key());
        ListSnapshotsResponse.Builder answer =
                ListSnapshotsResponse.newBuilder().setNextToken(page.nextToken());
        page.entries()
                .forEach(record -> answer.addEntries(
                        ListSnapshotsResponse.Entry.newBuilder().setSnapshot(told(record))));
        return answer.build();
    }

    /** One snapshot. The plugin is asked if it was not ready, or has no record. */
    private Optional<SnapshotRecord> one(Snapshotting plugin, String text, Map<String, String> secrets)
            throws RpcFailure {
        Optional<SnapshotHandle> id = SnapshotHandle.parse(text);
        Optional<SnapshotRecord> known = id.isEmpty() ? Optional.empty() : records.known(id.get());
        Optional<SnapshotRecord> taken = known.filter(record -> record.phase() == SnapshotRecord.Phase.TAKEN);
        if (taken.isEmpty() || (taken.get().ready() && !taken.get().source().isEmpty())) {
            return taken;
        }
        return seen(plugin, taken.get(), secrets);
    }

    /** A snapshot as the plugin finds it; empty if it is not there. */
    private Optional<SnapshotRecord> seen(Snapshotting plugin, SnapshotRecord taken, Map<String, String> secrets)
            throws RpcFailure {
        RpcContext context = rpcs.context("find snapshot " + taken.handle().key(), secrets);
        return RpcFailure.orThrow(plugin.findSnapshot(context, taken.ref()), Asked.CONTROLLER)
                .map(taken::with);
    }

    private static Snapshot told(SnapshotRecord record) {
        Instant created = record.createdAt();
        return Snapshot.newBuilder()
                .setSnapshotId(record.handle().text())
                .setSourceVolumeId(record.source())
                .setSizeBytes(record.bytes())
                .setCreationTime(Timestamp.newBuilder()
                        .setSeconds(created.getEpochSecond())
                        .setNanos(created.getNano()))
                .setReadyToUse(record.ready())
                .build();
    }
}
