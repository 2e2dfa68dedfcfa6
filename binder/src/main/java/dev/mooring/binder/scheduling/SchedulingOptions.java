// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.storage.builder.WithBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How volumes are scheduled. Begin with {@link #DEFAULT}; where a binder is told to match otherwise, say {@link #like} too. Immutable.
 *
 * @param upstreamMatching a volume that is already for the claim is found only in the claim's own class, and whatever its access modes,
 *     as upstream; else in every class, but with the access modes that the claim asks for, as the binder finds it (T8)
 * @param upstreamPhaseOrder only Available volumes are chosen, as upstream; else those whose phase is still Pending too (D17)
 * @param sumCapacities the claims of a pod, and what was promised before, are added up before they are compared with the free space of
 *     a pool; else each claim is compared alone, as upstream (kubernetes/kubernetes #111755)
 * @param reserveAttachSlots a claim that is going to get an existing volume takes a slot of that volume's driver as soon as it is
 *     assumed; else it counts for the provisioner of its class until it is bound, as upstream (#141076)
 * @param scoring whether nodes are preferred by how well the claims fit the storage there (upstream's gate StorageCapacityScoring)
 * @param shape the score for a utilisation: points in ascending order of utilisation, linear in between
 * @param bindTimeout how long a bind may take, from its first write
 * @param selectedNodeTtl a claim that got no volume by the time a bind timed out loses its selected node if it was chosen at least so
 *     long ago; empty for never, as upstream (D10)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record SchedulingOptions(
        boolean upstreamMatching,
        boolean upstreamPhaseOrder,
        boolean sumCapacities,
        boolean reserveAttachSlots,
        boolean scoring,
        List<ShapePoint> shape,
        Duration bindTimeout,
        Optional<Duration> selectedNodeTtl)
        implements SchedulingOptionsBuilder.With {
    /** Mooring's own behaviour. */
    public static final SchedulingOptions DEFAULT = SchedulingOptionsBuilder.builder()
            .sumCapacities(true)
            .reserveAttachSlots(true)
            .shape(List.of(new ShapePoint(0, 10), new ShapePoint(100, 0)))
            .bindTimeout(Duration.ofMinutes(10))
            .selectedNodeTtl(Duration.ofMinutes(10))
            .build();

    /** Kubernetes' behaviour, wherever it can be told to differ. */
    public static final SchedulingOptions UPSTREAM = SchedulingOptionsBuilder.builder()
            .upstreamMatching(true)
            .upstreamPhaseOrder(true)
            .shape(DEFAULT.shape())
            .bindTimeout(DEFAULT.bindTimeout())
            .build();

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if the shape has no points, or they do not ascend, or the time limit is not positive
     */
    public SchedulingOptions {
        shape = List.copyOf(shape);
        if (shape.isEmpty()) {
            throw new IllegalArgumentException("the shape needs at least one point");
        }
        for (int i = 1; i < shape.size(); i++) {
            if (shape.get(i).utilization() <= shape.get(i - 1).utilization()) {
                throw new IllegalArgumentException("the utilisations of a shape must ascend: " + shape);
            }
        }
        if (bindTimeout.isNegative() || bindTimeout.isZero()) {
            throw new IllegalArgumentException("bindTimeout must be positive, but is " + bindTimeout);
        }
    }

    /**
     * A point of the shape.
     *
     * @param utilization per cent, 0 to 100
     * @param score 0 to 10
     */
    public record ShapePoint(int utilization, int score) {
        /**
         * Checks the bounds.
         *
         * @throws IllegalArgumentException if a number is out of bounds
         */
        public ShapePoint {
            if (utilization < 0 || utilization > 100 || score < 0 || score > 10) {
                throw new IllegalArgumentException(
                        "utilisation 0 to 100, score 0 to 10, but got " + utilization + ", " + score);
            }
        }
    }

    /**
     * The same with the rules of matching that a binder has, so that no node is chosen for a volume that the binder would not give:
     * {@link BinderSwitch#UPSTREAM_MATCHING} and {@link BinderSwitch#UPSTREAM_PHASE_ORDER}.
     *
     * @param binding the options of the binder of the same cluster
     */
    public SchedulingOptions like(BinderOptions binding) {
        return withUpstreamMatching(binding.has(BinderSwitch.UPSTREAM_MATCHING))
                .withUpstreamPhaseOrder(binding.has(BinderSwitch.UPSTREAM_PHASE_ORDER));
    }
}
