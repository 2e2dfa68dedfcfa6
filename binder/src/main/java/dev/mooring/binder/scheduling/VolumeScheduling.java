// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Controller;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apiguardian.api.API;

/**
 * Volumes for a scheduler that embeds us: which nodes a pod's volumes allow, which is the best, and binding the volumes once a node is
 * chosen (semantics/binder §3.6 to §3.9). One instance belongs to one runtime, beside a binder in the same or another process.
 *
 * <pre>{@code
 * var volumes = new VolumeScheduling(SchedulingOptions.DEFAULT);
 * controllers.add(volumes.controller());
 * ...
 * NodeFit fit = runtime.ask(caches -> volumes.filter(pod, node, caches)).get();
 * int score = runtime.ask(caches -> volumes.score(pod, node, caches)).get();
 * NodeFit assumed = runtime.ask(caches -> volumes.assume(pod, node, caches)).get();
 * BindOutcome outcome = runtime.ask(caches -> volumes.bind(key)).get().get();
 * }</pre>
 *
 * <p>All methods but {@link #controller} and {@link #failures} are called on the decider's thread, by {@code runtime.ask}. What was
 * assumed counts from the next call on: no volume, no promised space and no attach slot is given twice, however many pods are on their
 * way. An assumption ends when the pod has a node or is gone, when its bind fails, or by {@link #revert}. Assumptions do not survive the
 * process; what was written does, and is found again by the next {@link #filter}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VolumeScheduling {
    private final SchedulingOptions options;
    private final SchedulingIndexes indexes;
    private final FailureCounts failures = new FailureCounts();
    private final BindingController controller;

    /**
     * Makes the volumes' part of a scheduler.
     *
     * @param options how to schedule
     */
    public VolumeScheduling(SchedulingOptions options) {
        this.options = options;
        this.indexes = new SchedulingIndexes(options);
        this.controller = new BindingController(options, indexes, failures);
    }

    /** The small scheduler of clusters that have no other, as a controller of its own: {@code scheduler}. It needs no other instance. */
    public static Controller scheduler(SchedulingOptions options) {
        return new SchedulerController(options);
    }

    /** The controller {@code volume-binding}, which has to run in the runtime; the same one at every call. From any thread. */
    public Controller controller() {
        return controller;
    }

    /**
     * Whether a pod's volumes let it run on a node.
     *
     * @param pod the pod, which need not exist
     * @param node the node
     * @param caches the caches of the runtime
     * @return all that speaks against it, never null
     */
    public NodeFit filter(Pod pod, Node node, Caches caches) {
        PodFilters filters = new PodFilters(pod, view(caches));
        NodeFit fit = filters.fit(node, filters.plan(node));
        if (!fit.fits()) {
            failures.add(SchedulingStage.PREDICATE);
        }
        return fit;
    }

    /**
     * How well a node's storage fits a pod.
     *
     * @return 0 to 100, more is better; 0 if nothing is known of it, or the node does not fit
     */
    public int score(Pod pod, Node node, Caches caches) {
        PodFilters filters = new PodFilters(pod, view(caches));
        NodePlan plan = filters.plan(node);
        return filters.fit(node, plan).fits() ? CapacityScore.of(plan, options) : 0;
    }

    /**
     * Takes it for granted that a pod goes to a node and that its claims get what they would get there now. Nothing is written. An earlier
     * assumption of the pod is dropped first.
     *
     * @return what speaks against it; nothing was assumed unless it {@link NodeFit#fits}
     * @throws IllegalStateException if a bind of the pod is under way
     */
    public NodeFit assume(Pod pod, Node node, Caches caches) {
        ObjectKey key = ObjectKey.of(pod);
        if (controller.isBinding(key)) {
            throw new IllegalStateException("the volumes of pod " + key + " are being bound");
        }
        controller.revert(key);
        PodFilters filters = new PodFilters(pod, view(caches));
        NodePlan plan = filters.plan(node);
        NodeFit fit = filters.fit(node, plan);
        if (fit.fits()) {
            indexes.assumptions().put(filters.assumption(node, plan));
        } else {
            failures.add(SchedulingStage.ASSUME);
        }
        return fit;
    }

    /**
     * Binds what was assumed for a pod: volumes that exist get their claims, claims to provision get their node, and the binder does the
     * rest. No thread waits meanwhile. Asking again while it is under way gives the same bind.
     *
     * @param pod the pod, whose object must exist
     * @return completes when all claims are bound, when they cannot be any more, or when the time limit is over; never exceptionally while
     *     the runtime runs. If it failed the assumption is dropped; writes that were made stay, and the next filter counts with them.
     *     Dependents run on the decider's thread unless they are asynchronous
     * @throws IllegalStateException if nothing was assumed for the pod, or the runtime does not decide yet
     */
    public CompletableFuture<BindOutcome> bind(ObjectKey pod) {
        return controller.bind(pod);
    }

    /**
     * Drops what was assumed for a pod, as when it could not be placed after all. A bind under way fails; writes that were made stay.
     *
     * @return whether anything was assumed
     */
    public boolean revert(ObjectKey pod) {
        return controller.revert(pod);
    }

    /** Where a pod is assumed to go; empty if nowhere. */
    public Optional<String> assumedNode(ObjectKey pod) {
        return indexes.assumptions().of(pod).map(Assumption::node);
    }

    /** How often which stage failed. From any thread. */
    public Map<SchedulingStage, Long> failures() {
        return failures.snapshot();
    }

    private SchedulingView view(Caches caches) {
        return new SchedulingView(caches, indexes, options);
    }
}
