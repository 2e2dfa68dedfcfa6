// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.SchedulingOptions.ShapePoint;
import dev.mooring.storage.model.Quantity;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How well a pod's claims fit the storage of a node: upstream's StorageCapacityScoring (semantics/binder §3.6, Score). Pure. */
final class CapacityScore {
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    private CapacityScore() {}

    /**
     * What is asked for and what is there, of one class.
     *
     * @param requested bytes asked for
     * @param capacity bytes there
     */
    private record Use(BigInteger requested, BigInteger capacity) {
        static final Use NONE = new Use(BigInteger.ZERO, BigInteger.ZERO);
    }

    /** 0 to 100, more is better; 0 if nothing is known. */
    static int of(NodePlan plan, SchedulingOptions options) {
        Map<String, Use> byClass = new TreeMap<>();
        if (!options.scoring()) {
            return 0;
        }
        for (Assumption.StaticBinding binding : plan.bindings()) {
            Use use = byClass.getOrDefault(binding.storageClass(), Use.NONE);
            byClass.put(
                    binding.storageClass(),
                    new Use(
                            use.requested.add(bytes(binding.requested())),
                            use.capacity.add(bytes(binding.capacity()))));
        }
        if (plan.bindings().isEmpty()) {
            for (Assumption.Provision provision : plan.provisions()) {
                Use use = byClass.getOrDefault(provision.storageClass(), Use.NONE);
                provision
                        .pool()
                        .ifPresent(pool -> byClass.put(
                                provision.storageClass(),
                                new Use(use.requested.add(bytes(provision.requested())), bytes(pool.capacity()))));
            }
        }
        if (byClass.isEmpty()) {
            return 0;
        }
        long sum = byClass.values().stream()
                .mapToLong(use -> score(use, options.shape()))
                .sum();
        return (int) Math.round((double) sum / byClass.size());
    }

    private static BigInteger bytes(Quantity quantity) {
        return quantity.valueRoundedUp();
    }

    private static long score(Use use, List<ShapePoint> shape) {
        boolean full = use.capacity.signum() == 0 || use.requested.compareTo(use.capacity) > 0;
        int utilization = full
                ? 100
                : use.requested.multiply(HUNDRED).divide(use.capacity).intValueExact();
        return onShape(utilization, shape);
    }

    /** Upstream's broken-linear function, in its integer arithmetic. */
    private static long onShape(int utilization, List<ShapePoint> shape) {
        for (int i = 0; i < shape.size(); i++) {
            ShapePoint point = shape.get(i);
            if (utilization <= point.utilization()) {
                if (i == 0) {
                    return point.score() * 10L;
                }
                ShapePoint before = shape.get(i - 1);
                long rise = (point.score() - before.score()) * 10L * (utilization - before.utilization());
                return before.score() * 10L + rise / (point.utilization() - before.utilization());
            }
        }
        return shape.get(shape.size() - 1).score() * 10L;
    }
}
