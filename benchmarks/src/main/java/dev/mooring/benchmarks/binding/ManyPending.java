// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;

/** One new volume for one of many claims that wait: how much work that is does not depend on how many wait. */
final class ManyPending {
    private static final int FEW = 500;
    private static final int SMALLEST = 100;
    private static final long MEBIBYTE = 1 << 20;

    private final ComparisonFindings findings;
    private final int many;

    ManyPending(ComparisonFindings findings, int many) {
        this.findings = findings;
        this.many = many;
    }

    void run() {
        once(FEW);
        once(many);
    }

    private void once(int waiting) {
        World world = new World().start();
        for (int i = 0; i < waiting; i++) {
            world.create(Kinds.PERSISTENT_VOLUME_CLAIM, Pairs.claim("data-" + i, size(SMALLEST + i)));
        }
        world.settle();
        LoopCounters counters = world.counters();
        long decisions = counters.decisions();
        long writes = counters.writes();
        long probes = world.probes();
        world.ledger().note();
        world.create(Kinds.PERSISTENT_VOLUME, Pairs.volume("pv", size(SMALLEST)));
        world.settle();
        String name = "pending." + Effort.label(waiting);
        findings.count(name + ".decisions", counters.decisions() - decisions);
        findings.count(name + ".writes", counters.writes() - writes);
        findings.count(name + ".probes", world.probes() - probes);
        findings.count(name + ".claimsWoken", world.ledger().claims().size());
        findings.count(
                name + ".bound",
                world.all(Kinds.PERSISTENT_VOLUME_CLAIM).items().stream()
                        .filter(ManyPending::isBound)
                        .count());
    }

    private static boolean isBound(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.BOUND;
    }

    private static Quantity size(long mebibytes) {
        return Quantity.ofBytes(mebibytes * MEBIBYTE);
    }
}
