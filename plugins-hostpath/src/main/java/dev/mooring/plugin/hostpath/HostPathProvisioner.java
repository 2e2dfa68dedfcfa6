// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes a directory for a claim: entry CREATING, directory, mode and group, entry READY. After a crash at any point the next call
 * for the same claim goes on; a directory that holds something before it was ready belongs to no claim and is not given away.
 */
final class HostPathProvisioner {
    private final OperationContext context;
    private final Store store;

    HostPathProvisioner(OperationContext context, Store store) {
        this.context = context;
        this.store = store;
    }

    Outcome<VolumeTemplate> provision(HostPathProvisionPlan plan) {
        return provision(plan, entry -> make(plan, entry));
    }

    /**
     * Makes it as a copy.
     *
     * @param original opens what is copied
     */
    Outcome<VolumeTemplate> copy(HostPathProvisionPlan plan, Supplier<Outcome<PinnedPath>> original) {
        return provision(
                plan,
                entry -> entry.state() == HostPathLedgerEntry.State.READY
                        ? verify(plan, entry)
                        : new HostPathCopier(context, store).copy(plan.name(), original, plan.permissions(), entry));
    }

    private Outcome<VolumeTemplate> provision(
            HostPathProvisionPlan plan, Function<HostPathLedgerEntry, Outcome<Nothing>> maker) {
        Optional<NodeRef> here = context.node();
        if (here.isEmpty()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "hostPath volumes are made on a node");
        }
        boolean elsewhere = plan.request()
                .selectedNode()
                .filter(node -> !node.name().equals(here.get().name()))
                .isPresent();
        if (elsewhere) {
            return Outcome.refused(Refusal.INVALID, "the scheduler chose another node than " + here.get());
        }
        return store.ledger()
                .find(plan.name())
                .then(found -> begin(plan, here.get(), found))
                .then(entry -> new HostPathCopier(context, store).settled(plan.name(), entry, maker.apply(entry)))
                .map(nothing -> plan.template(store.path(), here));
    }

    private Outcome<HostPathLedgerEntry> begin(
            HostPathProvisionPlan plan, NodeRef here, Optional<HostPathLedgerEntry> found) {
        String claim = plan.request().claimUid();
        if (found.isEmpty()) {
            HostPathLedgerEntry entry = HostPathLedgerEntry.ofClaim(claim, here.uid());
            return store.ledger().put(plan.name(), entry).map(nothing -> entry);
        }
        HostPathLedgerEntry entry = found.get();
        if (!entry.claimUid().equals(claim) || !entry.nodeUid().equals(here.uid())) {
            return Outcome.refused(Refusal.INCOMPATIBLE, plan.name() + " was made for another claim or node");
        }
        return entry.state() == HostPathLedgerEntry.State.TRASHED
                ? Outcome.refused(Refusal.IN_USE, plan.name() + " is being deleted")
                : Outcome.done(entry);
    }

    private Outcome<Nothing> make(HostPathProvisionPlan plan, HostPathLedgerEntry entry) {
        if (entry.state() == HostPathLedgerEntry.State.READY) {
            return verify(plan, entry);
        }
        return store.volumes().makeDirectory(plan.name(), 0700).then(made -> {
            try (PinnedPath directory = made.path()) {
                return directory
                        .list(0)
                        .then(names -> plan.permissions().applyTo(directory))
                        .then(facts -> store.ledger().put(plan.name(), entry.ready(facts.identity())));
            }
        });
    }

    private Outcome<Nothing> verify(HostPathProvisionPlan plan, HostPathLedgerEntry entry) {
        return store.volumes().child(plan.name()).then(directory -> {
            try (directory) {
                return directory.facts().then(facts -> {
                    Optional<FileIdentity> found = Optional.of(facts.identity());
                    return found.equals(entry.identity()) ? Outcome.done() : HostPathOriginals.corrupt(plan.name());
                });
            }
        });
    }
}
