// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import com.google.protobuf.Timestamp;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.ListSnapshotsResponse;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Has a driver make, destroy and look for snapshots, as csi-snapshotter does. Thread-safe. */
public final class Snapshotter {
    private static final String SECRET_NAME = "snapshot.storage.kubernetes.io/deletion-secret-name";
    private static final String SECRET_NAMESPACE = "snapshot.storage.kubernetes.io/deletion-secret-namespace";

    private final String name;
    private final Drivers drivers;
    private final ListSecrets listSecrets;

    /**
     * Makes snapshots of a driver's volumes.
     *
     * @param listSecrets says with which secrets snapshots are looked for
     */
    public Snapshotter(String name, Drivers drivers, ListSecrets listSecrets) {
        this.name = name;
        this.drivers = drivers;
        this.listSecrets = listSecrets;
    }

    /** The annotations by which the secret is found when the snapshot is destroyed. */
    public Outcome<Map<String, String>> plan(SnapshotRequest request) {
        return SnapshotRules.of(request).map(rules -> {
            Map<String, String> annotations = new LinkedHashMap<>();
            rules.secret().ifPresent(secret -> {
                annotations.put(SECRET_NAME, secret.name());
                annotations.put(SECRET_NAMESPACE, secret.namespace());
            });
            return annotations;
        });
    }

    private Outcome<Driver> able(OperationContext context) {
        return drivers.find(name)
                .then(driver -> driver.controllerAbilities(context)
                        .then(abilities ->
                                abilities.contains(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT)
                                        ? Outcome.done(driver)
                                        : Outcome.refused(
                                                Refusal.UNSUPPORTED,
                                                "driver " + name + " does not support snapshots: controller"
                                                        + " CREATE_DELETE_SNAPSHOT capability is not reported")));
    }

    /** Makes a snapshot, or sees what has become of it. */
    public Outcome<SnapshotFacts> create(OperationContext context, SnapshotRequest request, VolumeSpec source) {
        return SnapshotRules.of(request)
                .then(rules -> SecretTexts.read(context.secrets(), rules.secret())
                        .then(secrets -> able(context)
                                .then(driver -> driver.call(
                                        context,
                                        CallKind.CREATE,
                                        ControllerGrpc.getCreateSnapshotMethod(),
                                        CreateSnapshotRequest.newBuilder()
                                                .setSourceVolumeId(CsiVolumeSource.of(source)
                                                        .handle())
                                                .setName(request.name())
                                                .putAllParameters(rules.passed())
                                                .putAllSecrets(secrets.reveal())
                                                .build(),
                                        secrets::hide))))
                .then(answer -> answer.getSnapshot().getSnapshotId().isEmpty()
                        ? Outcome.refused(
                                Refusal.CORRUPT,
                                "driver " + name + " made a snapshot and named none: snapshot_id is empty")
                        : Outcome.done(facts(answer.getSnapshot())));
    }

    private static SnapshotFacts facts(Snapshot snapshot) {
        Optional<Instant> created =
                snapshot.hasCreationTime() ? Optional.of(time(snapshot.getCreationTime())) : Optional.empty();
        return new SnapshotFacts(snapshot.getSnapshotId(), created, snapshot.getSizeBytes(), snapshot.getReadyToUse());
    }

    private static Instant time(Timestamp stamp) {
        return Instant.ofEpochSecond(stamp.getSeconds(), stamp.getNanos());
    }

    /** Destroys a snapshot. Without its secret, if that cannot be read any more. */
    public Outcome<Nothing> delete(OperationContext context, SnapshotRef snapshot) {
        SecretTexts secrets = SecretTexts.readIfPossible(context.secrets(), secretOf(snapshot));
        return drivers.find(name)
                .then(driver -> driver.call(
                        context,
                        CallKind.DELETE,
                        ControllerGrpc.getDeleteSnapshotMethod(),
                        DeleteSnapshotRequest.newBuilder()
                                .setSnapshotId(snapshot.handle())
                                .putAllSecrets(secrets.reveal())
                                .build(),
                        secrets::hide))
                .map(done -> Nothing.NOTHING);
    }

    private static Optional<ObjectKey> secretOf(SnapshotRef snapshot) {
        return Optional.ofNullable(snapshot.annotations().get(SECRET_NAME))
                .filter(secret -> !secret.isEmpty())
                .map(secret -> ObjectKey.of(snapshot.annotations().getOrDefault(SECRET_NAMESPACE, ""), secret));
    }

    /** Looks for a snapshot. Of a driver without LIST_SNAPSHOTS it is taken for granted, as csi-snapshotter does. */
    public Outcome<Optional<SnapshotFacts>> find(OperationContext context, SnapshotRef snapshot) {
        return able(context)
                .then(driver -> driver.controllerAbilities(context)
                        .then(abilities -> abilities.contains(ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS)
                                ? listSecrets.of(snapshot).then(secret -> list(context, driver, snapshot, secret))
                                : Outcome.done(
                                        Optional.of(new SnapshotFacts(snapshot.handle(), Optional.empty(), 0, true)))));
    }

    private static Outcome<Optional<SnapshotFacts>> list(
            OperationContext context, Driver driver, SnapshotRef snapshot, Optional<ObjectKey> secret) {
        return SecretTexts.read(context.secrets(), secret)
                .then(secrets -> driver.call(
                        context,
                        CallKind.LOOK,
                        ControllerGrpc.getListSnapshotsMethod(),
                        ListSnapshotsRequest.newBuilder()
                                .setSnapshotId(snapshot.handle())
                                .putAllSecrets(secrets.reveal())
                                .build(),
                        secrets::hide))
                .map(answer -> answer.getEntriesList().stream()
                        .map(ListSnapshotsResponse.Entry::getSnapshot)
                        .filter(found -> found.getSnapshotId().equals(snapshot.handle()))
                        .findFirst()
                        .map(Snapshotter::facts));
    }
}
