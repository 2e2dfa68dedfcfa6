// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Map;
import java.util.Optional;

/** The same with snapshots and clones, a largest volume, and files that belong to a pod's group. */
final class CopyingPlugin extends WholePlugin implements Snapshotting, Cloning, CapacityReporting {
    /** Whether snapshots are ready to use. */
    volatile boolean ready = true;

    /** Whether it takes snapshots only with parameters. */
    volatile boolean particular;

    /** Whether volumes of which snapshots are wanted are not there. */
    volatile boolean sourceGone;

    @Override
    public Outcome<Map<String, String>> planSnapshot(SnapshotRequest request) {
        return particular && request.parameters().isEmpty()
                ? Outcome.refused(Refusal.INVALID, "a parameter is missing")
                : Outcome.done(Map.of("kept", request.parameters().toString()));
    }

    private SnapshotFacts facts(String handle) {
        return new SnapshotFacts(handle, Optional.empty(), 0, ready);
    }

    @Override
    public Outcome<SnapshotFacts> createSnapshot(OperationContext context, SnapshotRequest request, VolumeSpec source) {
        return sourceGone
                ? Outcome.refused(Refusal.NOT_FOUND, "there is no volume " + source.name())
                : answer("take " + request.name() + " of " + source.name(), Outcome.done(facts("@" + request.name())));
    }

    @Override
    public Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot) {
        return answer("destroy " + snapshot.handle() + " " + snapshot.annotations(), Outcome.done());
    }

    @Override
    public Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot) {
        return answer("find " + snapshot.handle(), Outcome.done(Optional.of(facts(snapshot.handle()))));
    }

    @Override
    public Outcome<VolumeTemplate> restore(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot) {
        return answer("restore " + request.volumeName() + " from " + snapshot.handle(), Outcome.done(plan));
    }

    @Override
    public Outcome<VolumeTemplate> cloneVolume(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
        return answer("clone " + source.name() + " as " + request.volumeName(), Outcome.done(plan));
    }

    @Override
    public Outcome<FreeSpace> freeSpace(
            OperationContext context, Map<String, String> parameters, Map<String, String> place) {
        return answer(
                "space " + parameters + " " + place,
                Outcome.done(new FreeSpace(Quantity.parse("100Gi"), Optional.of(Quantity.parse("1Gi")))));
    }

    @Override
    public boolean givesToGroup(PluginState state) {
        return true;
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return answer("publish for group " + request.group().orElse(-1), Outcome.done(new PluginState(4, "published")));
    }
}
