// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Writes what a driver says of its node to Node and CSINode, in Kubernetes' order (semantics/csi §5.1). Thread-safe. */
final class DriverEntries {
    private static final int TRIES = 5;

    private final ClusterStore store;
    private final NodeRef self;

    DriverEntries(ClusterStore store, NodeRef self) {
        this.store = store;
        this.self = self;
    }

    /** Makes both objects name the driver; a failure that passes is deferred. */
    Outcome<Nothing> enter(DriverOnNode driver) {
        return changeNode(node -> NodeObjects.with(node, driver)).then(noted -> enterCsiNode(driver));
    }

    private Outcome<Nothing> enterCsiNode(DriverOnNode driver) {
        Outcome<CSINode> there = csiNode();
        Optional<CSINodeDriver> entry = there.result().flatMap(node -> NodeObjects.entry(node, driver.driver()));
        Outcome<Nothing> cleared =
                entry.filter(found -> NodeObjects.isStale(found, driver)).isPresent()
                        ? changeCsiNode(node -> NodeObjects.without(node, driver.driver()))
                        : there.map(node -> Nothing.NOTHING);
        return cleared.then(ready -> changeCsiNode(node -> NodeObjects.with(node, driver)));
    }

    /** The drivers that this node's CSINode names. */
    Outcome<List<String>> names() {
        return read(Kinds.CSI_NODE, ObjectKey.cluster(self.name()))
                .map(node ->
                        node.spec().drivers().stream().map(CSINodeDriver::name).toList());
    }

    /** Makes neither object name the driver any more. */
    Outcome<Nothing> leave(String driver) {
        return changeCsiNode(node -> NodeObjects.without(node, driver))
                .then(gone -> changeNode(node -> Outcome.done(NodeObjects.without(node, driver))));
    }

    private Outcome<Nothing> changeNode(Function<Node, Outcome<Node>> change) {
        return repeated(() -> read(Kinds.NODE, ObjectKey.cluster(self.name()))
                .then(node -> change.apply(node).map(edited -> new Change<>(node, edited)))
                .map(edit -> edit.base().equals(edit.edited())
                        ? Optional.of(Outcome.done())
                        : judged(store.update(Kinds.NODE, edit))));
    }

    private Outcome<Nothing> changeCsiNode(Function<CSINode, CSINode> change) {
        return repeated(() -> csiNode().map(node -> {
            CSINode edited = change.apply(node);
            return edited.equals(node)
                    ? Optional.of(Outcome.done())
                    : judged(store.update(Kinds.CSI_NODE, new Change<>(node, edited)));
        }));
    }

    /** This node's CSINode, made if it is missing; that of a former Node of the name is deleted first. */
    private Outcome<CSINode> csiNode() {
        ObjectKey key = ObjectKey.cluster(self.name());
        Outcome<CSINode> found = read(Kinds.CSI_NODE, key);
        if (found.result().filter(node -> !NodeObjects.isOf(node, self)).isPresent()) {
            String uid = found.result().orElseThrow().metadata().uid();
            return store.delete(Kinds.CSI_NODE, key, DeleteOptions.ofUid(uid))
                    .match(gone -> csiNode(), failed -> Outcome.deferred(failed.message()));
        }
        return found.ifFound()
                .then(there -> there.map(Outcome::done)
                        .orElseGet(() -> store.create(Kinds.CSI_NODE, NodeObjects.fresh(self))
                                .match(Outcome::done, failed -> Outcome.deferred(failed.message()))));
    }

    private <T extends KubernetesObject> Outcome<T> read(Kind<T> kind, ObjectKey key) {
        StoreResult<T> found = store.get(kind, key);
        return found.match(
                Outcome::done,
                failed -> failed.reason() == Failure.NOT_FOUND
                        ? Outcome.refused(Refusal.NOT_FOUND, failed.message())
                        : Outcome.deferred(failed.message()));
    }

    private static Outcome<Nothing> repeated(Supplier<Outcome<Optional<Outcome<Nothing>>>> write) {
        for (int i = 0; i < TRIES; i++) {
            Outcome<Optional<Outcome<Nothing>>> written = write.get();
            if (!written.isDone()) {
                return written.map(never -> Nothing.NOTHING);
            }
            Optional<Outcome<Nothing>> end = written.result().orElseThrow();
            if (end.isPresent()) {
                return end.get();
            }
        }
        return Outcome.deferred("others change the objects of this node all the time");
    }

    /** What a write came to; empty if it is to be tried again. */
    private static <T extends KubernetesObject> Optional<Outcome<Nothing>> judged(StoreResult<T> written) {
        return written.match(done -> Optional.of(Outcome.done()), DriverEntries::failed);
    }

    private static Optional<Outcome<Nothing>> failed(Failed<?> failed) {
        return failed.reason() == Failure.CONFLICT ? Optional.empty() : Optional.of(Outcome.deferred(failed.message()));
    }
}
