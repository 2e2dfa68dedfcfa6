// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.plugin.csi.driver.LiveObjects;
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
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Writes what a driver says of its node to Node and CSINode, in Kubernetes' order (semantics/csi §5.1). Thread-safe. */
final class DriverEntries {
    /** In seconds; an API server takes no shorter one. */
    private static final long SHORTEST_PERIOD = 10;

    private static final String BUSY = "others change the objects of this node all the time";

    private final ClusterStore store;
    private final LiveObjects objects;
    private final NodeRef self;

    DriverEntries(ClusterStore store, NodeRef self) {
        this.store = store;
        this.objects = new LiveObjects(store);
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

    /**
     * Makes the CSINode tell how many volumes of a registered driver the node takes; Node and labels stay as they are. A driver that says
     * something else of the node than when it registered is left as it is: that takes a registration.
     */
    Outcome<Nothing> recount(DriverOnNode driver) {
        return changeCsiNode(node -> NodeObjects.entry(node, driver.driver())
                        .filter(entry -> !NodeObjects.isStale(entry, driver))
                        .isPresent()
                ? NodeObjects.with(node, driver)
                : node);
    }

    /** How often a driver wants to be asked how many volumes the node takes; empty for never, or if that cannot be known now. */
    Optional<Duration> period(String driver) {
        return objects.find(Kinds.CSI_DRIVER, ObjectKey.cluster(driver))
                .result()
                .flatMap(found -> found)
                .flatMap(found -> found.spec().nodeAllocatableUpdatePeriodSeconds())
                .filter(seconds -> seconds >= SHORTEST_PERIOD)
                .map(Duration::ofSeconds);
    }

    /** The drivers that this node's CSINode names. */
    Outcome<List<String>> names() {
        return read(Kinds.CSI_NODE)
                .map(node ->
                        node.spec().drivers().stream().map(CSINodeDriver::name).toList());
    }

    /** Makes neither object name the driver any more. */
    Outcome<Nothing> leave(String driver) {
        return changeCsiNode(node -> NodeObjects.without(node, driver))
                .then(gone -> changeNode(node -> Outcome.done(NodeObjects.without(node, driver))));
    }

    private Outcome<Nothing> changeNode(Function<Node, Outcome<Node>> change) {
        return objects.edit(Kinds.NODE, () -> read(Kinds.NODE), change, BUSY);
    }

    private Outcome<Nothing> changeCsiNode(UnaryOperator<CSINode> change) {
        return objects.edit(Kinds.CSI_NODE, this::csiNode, node -> Outcome.done(change.apply(node)), BUSY);
    }

    /** This node's CSINode, made if it is missing; that of a former Node of the name is deleted first. */
    private Outcome<CSINode> csiNode() {
        Outcome<CSINode> found = read(Kinds.CSI_NODE);
        if (found.result().filter(node -> !NodeObjects.isOf(node, self)).isPresent()) {
            String uid = found.result().orElseThrow().metadata().uid();
            return store.delete(Kinds.CSI_NODE, key(), DeleteOptions.ofUid(uid))
                    .match(gone -> csiNode(), failed -> Outcome.deferred(failed.message()));
        }
        return found.ifFound()
                .then(there -> there.map(Outcome::done)
                        .orElseGet(() -> store.create(Kinds.CSI_NODE, NodeObjects.fresh(self))
                                .match(Outcome::done, failed -> Outcome.deferred(failed.message()))));
    }

    private <T extends KubernetesObject> Outcome<T> read(Kind<T> kind) {
        return objects.find(kind, key())
                .then(found -> found.map(Outcome::done)
                        .orElseGet(() ->
                                Outcome.refused(Refusal.NOT_FOUND, "there is no " + kind.name() + " " + self.name())));
    }

    private ObjectKey key() {
        return ObjectKey.cluster(self.name());
    }
}
