// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.DirectoryPermissions;
import dev.mooring.plugin.support.ProvisionedVolumes;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Snapshots of directories that were made here: copies that only root reads, on the node of the volume. A snapshot's handle is the node's
 * name and the snapshot's, so that no other node takes it for one that has gone.
 */
final class HostPathSnapshots {
    private static final String WHAT = "a snapshot";
    private static final DirectoryPermissions PRIVATE = new DirectoryPermissions(0700, OptionalInt.empty());

    private final OperationContext context;
    private final HostPathSettings settings;

    HostPathSnapshots(OperationContext context, HostPathSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    /** Looks at a wish: there are no parameters. */
    static Outcome<Map<String, String>> plan(SnapshotRequest request) {
        return ProvisionedVolumes.nameProblem(request.name(), WHAT)
                .or(() -> ProvisionedVolumes.parameterProblem(request.parameters(), List.of(), (name, value) -> false))
                .<Outcome<Map<String, String>>>map(why -> Outcome.refused(Refusal.INVALID, why))
                .orElseGet(() -> Outcome.done(Map.of()));
    }

    Outcome<SnapshotFacts> create(SnapshotRequest request, VolumeSpec source) {
        return plan(request)
                .then(fine -> here())
                .then(node -> Store.withSnapshots(
                        context,
                        settings,
                        (store, snapshots) -> snapshots
                                .ledger()
                                .find(request.name())
                                .then(found -> begin(snapshots, node, request.name(), source, found))
                                .then(entry -> take(store, snapshots, request.name(), source, entry))
                                .then(nothing -> snapshots.ledger().find(request.name()))
                                .then(entry -> facts(node, request.name(), entry))));
    }

    private Outcome<NodeRef> here() {
        return context.node()
                .map(Outcome::done)
                .orElseGet(() -> Outcome.refused(
                        Refusal.UNSUPPORTED, "snapshots of hostPath volumes are made and destroyed on their node"));
    }

    private Outcome<HostPathLedgerEntry> begin(
            Store snapshots, NodeRef node, String name, VolumeSpec source, Optional<HostPathLedgerEntry> found) {
        if (found.isEmpty()) {
            HostPathLedgerEntry.Taken taken = new HostPathLedgerEntry.Taken(
                    source.name(), context.clock().instant(), source.capacity().longValue());
            HostPathLedgerEntry entry = HostPathLedgerEntry.ofSnapshot(node.uid(), taken);
            return snapshots.ledger().put(name, entry).map(nothing -> entry);
        }
        HostPathLedgerEntry entry = found.get();
        boolean same = entry.nodeUid().equals(node.uid())
                && entry.taken()
                        .filter(taken -> taken.volume().equals(source.name()))
                        .isPresent();
        if (!same) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "snapshot " + name + " was taken of another volume or node");
        }
        return entry.state() == HostPathLedgerEntry.State.TRASHED
                ? Outcome.refused(Refusal.IN_USE, "snapshot " + name + " is being deleted")
                : Outcome.done(entry);
    }

    private Outcome<Nothing> take(
            Store store, Store snapshots, String name, VolumeSpec source, HostPathLedgerEntry entry) {
        if (entry.state() == HostPathLedgerEntry.State.READY) {
            return Outcome.done();
        }
        HostPathCopier copier = new HostPathCopier(context, snapshots);
        return copier.settled(
                name, entry, copier.copy(name, () -> HostPathOriginals.volume(context, store, source), PRIVATE, entry));
    }

    private static Outcome<SnapshotFacts> facts(NodeRef node, String name, Optional<HostPathLedgerEntry> entry) {
        Optional<SnapshotFacts> facts =
                entry.flatMap(known -> known.taken().map(taken -> facts(node, name, known, taken)));
        return facts.map(Outcome::done)
                .orElseGet(() -> Outcome.refused(Refusal.CORRUPT, "the record of snapshot " + name + " has gone"));
    }

    private static SnapshotFacts facts(
            NodeRef node, String name, HostPathLedgerEntry entry, HostPathLedgerEntry.Taken taken) {
        return new SnapshotFacts(
                node.name() + "/" + name,
                Optional.of(taken.at()),
                taken.bytes(),
                entry.state() == HostPathLedgerEntry.State.READY);
    }

    Outcome<Optional<SnapshotFacts>> find(SnapshotRef snapshot) {
        Optional<Place> place = place(snapshot);
        return place.isEmpty()
                ? Outcome.done(Optional.empty())
                : here(place.get(), Refusal.NOT_FOUND)
                        .then(node -> Store.withSnapshots(
                                context,
                                settings,
                                (store, snapshots) -> snapshots
                                        .ledger()
                                        .find(place.get().name())
                                        .map(entry -> entry.filter(known -> isOf(known, node))
                                                .flatMap(known -> known.taken()
                                                        .map(taken -> facts(
                                                                node,
                                                                place.get().name(),
                                                                known,
                                                                taken))))));
    }

    private static boolean isOf(HostPathLedgerEntry entry, NodeRef node) {
        return entry.nodeUid().equals(node.uid()) && entry.state() != HostPathLedgerEntry.State.TRASHED;
    }

    /** On another node it is refused, so that no snapshot is taken for one that has gone. */
    Outcome<Nothing> delete(SnapshotRef snapshot) {
        Optional<Place> place = place(snapshot);
        return place.isEmpty()
                ? Outcome.done()
                : here(place.get(), Refusal.DENIED)
                        .then(node -> Store.withSnapshots(
                                context,
                                settings,
                                (store, snapshots) -> snapshots
                                        .ledger()
                                        .find(place.get().name())
                                        .then(entry -> entry.map(known -> delete(
                                                        snapshots,
                                                        node,
                                                        place.get().name(),
                                                        known))
                                                .orElseGet(Outcome::done))));
    }

    private Outcome<Nothing> delete(Store snapshots, NodeRef node, String name, HostPathLedgerEntry entry) {
        return entry.nodeUid().equals(node.uid())
                ? new HostPathRemover(context, snapshots).remove(name, entry)
                : Outcome.refused(Refusal.DENIED, "snapshot " + name + " was taken on another node");
    }

    Outcome<VolumeTemplate> restore(HostPathProvisionPlan plan, SnapshotRef snapshot) {
        Optional<Place> place = place(snapshot);
        return place.isEmpty()
                ? Outcome.refused(
                        Refusal.NOT_FOUND,
                        "'" + snapshot.handle() + "' is no snapshot: the handle of one is NODE/SNAPSHOT")
                : here(place.get(), Refusal.NOT_FOUND)
                        .then(node -> Store.withSnapshots(
                                context,
                                settings,
                                (store, snapshots) -> new HostPathProvisioner(context, store)
                                        .copy(
                                                plan,
                                                () -> HostPathOriginals.snapshot(
                                                        context,
                                                        snapshots,
                                                        place.get().name()))));
    }

    /**
     * Where a snapshot is.
     *
     * @param node the name of its node
     * @param name its own name, which a file can have
     */
    private record Place(String node, String name) {}

    /** What a handle says; empty if it can be no handle of ours. */
    private static Optional<Place> place(SnapshotRef snapshot) {
        int slash = snapshot.handle().lastIndexOf('/');
        return Optional.of(new Place(
                        snapshot.handle().substring(0, Math.max(0, slash)),
                        snapshot.handle().substring(slash + 1)))
                .filter(place -> !place.node().isEmpty())
                .filter(place ->
                        ProvisionedVolumes.nameProblem(place.name(), WHAT).isEmpty());
    }

    private Outcome<NodeRef> here(Place place, Refusal otherwise) {
        return here().then(node -> node.name().equals(place.node())
                ? Outcome.done(node)
                : Outcome.refused(
                        otherwise,
                        "snapshot " + place.name() + " is on node " + place.node() + ", and this is node "
                                + node.name()));
    }
}
