// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.control.Controller;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The controllers that stand in for Kubernetes in a store without it: in Kubernetes these duties are kube-controller-manager's and
 * kube-apiserver's own, and there none of them may run twice. They may share a loop with other controllers or have one of their own.
 * Each call makes new controllers, which belong to one loop.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BackgroundDuties {
    private BackgroundDuties() {}

    /**
     * All duties.
     *
     * @param kinds the kinds that the store holds; never null
     * @param options the periods; never null
     * @return {@code garbage-collector}, {@code namespace}, {@code serviceaccount}, {@code event-expiry}, {@code node-lifecycle},
     *     {@code taint-eviction-controller} and {@code pod-garbage-collector}
     */
    public static List<Controller> all(Kinds kinds, DutyOptions options) {
        List<Controller> all = new ArrayList<>(List.of(garbageCollection(kinds), namespaceTermination(kinds)));
        all.addAll(ofFixedKinds(options));
        return all;
    }

    /**
     * All duties but garbage collection and the end of namespaces, which {@link KindDuties} carries out where kinds may become more.
     *
     * @param options the periods; never null
     */
    public static List<Controller> ofFixedKinds(DutyOptions options) {
        return List.of(
                defaultServiceAccounts(),
                eventExpiry(options),
                nodeLifecycle(options),
                taintEviction(),
                podCollection());
    }

    /**
     * Deletes objects whose owners have gone, and lets owners go that are deleted in the foreground or orphan their dependents. That an
     * owner is absent is proved by a live read before anything is deleted.
     */
    public static Controller garbageCollection(Kinds kinds) {
        return new GarbageCollector(kinds);
    }

    /** Empties namespaces that are deleted, and lets them go once a live list has found them empty. */
    public static Controller namespaceTermination(Kinds kinds) {
        return new NamespaceTermination(kinds);
    }

    /** Makes the ServiceAccount {@code default} of each namespace. */
    public static Controller defaultServiceAccounts() {
        return new DefaultServiceAccounts();
    }

    /** Deletes Events that were not repeated for a time. */
    public static Controller eventExpiry(DutyOptions options) {
        return new EventExpiry(options.eventLifetime());
    }

    /**
     * Marks and taints nodes that are silent: neither the heartbeat of their Ready condition nor their Lease in
     * {@code kube-node-lease} is renewed. Nodes that have neither are left alone.
     */
    public static Controller nodeLifecycle(DutyOptions options) {
        return new NodeLifecycle(options.nodeGracePeriod());
    }

    /**
     * Deletes pods that do not tolerate a taint {@code NoExecute} of their node, at once or after {@code tolerationSeconds}. Taints of
     * silent nodes are tolerated for 300 seconds by pods that say nothing of them.
     */
    public static Controller taintEviction() {
        return new TaintEviction();
    }

    /**
     * Deletes pods whose node has been gone for 40 seconds, which a live read confirms, and pods that are being deleted on a node
     * that is not ready and has the taint {@code node.kubernetes.io/out-of-service}.
     */
    public static Controller podCollection() {
        return new PodCollection();
    }
}
