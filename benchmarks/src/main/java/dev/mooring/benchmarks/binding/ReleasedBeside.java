// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.benchmarks.binding.Pairs.Order;
import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Binding with and without many Released volumes of the same class and sizes beside it: they cost a match nothing. */
final class ReleasedBeside {
    private static final int PAIRS = 10_000;
    private static final int SIZES = 20;
    private static final long MEBIBYTE = 1 << 20;

    private final ComparisonFindings findings;
    private final int released;
    private final int repetitions;

    ReleasedBeside(ComparisonFindings findings, int released, int repetitions) {
        this.findings = findings;
        this.released = released;
        this.repetitions = repetitions;
    }

    void run() {
        Pairs pairs = new Pairs(PAIRS, SIZES, Order.VOLUMES_FIRST);
        List<Timing.Sample> alone = new ArrayList<>();
        List<Timing.Sample> beside = new ArrayList<>();
        for (int i = 0; i < repetitions; i++) {
            alone.add(once(pairs, 0));
            beside.add(once(pairs, released));
        }
        double without = new Timing(alone).median();
        double with = new Timing(beside).median();
        findings.ratio("released.slowdown." + Effort.label(released), with / without);
        findings.figure("bind.released.0.us", without / 1000);
        findings.figure("bind.released." + Effort.label(released) + ".us", with / 1000);
        System.err.printf(
                Locale.ROOT,
                "  %,d pairs: %.1f us per pair alone, %.1f us beside %,d Released volumes%n",
                PAIRS,
                without / 1000,
                with / 1000,
                released);
    }

    private Timing.Sample once(Pairs pairs, int beside) {
        World world = new World();
        for (int i = 0; i < beside; i++) {
            world.load(Kinds.PERSISTENT_VOLUME, released(i));
        }
        world.start().settle();
        System.gc();
        long probes = world.probes();
        long writes = world.counters().writes();
        long decisions = world.counters().decisions();
        Timing.Sample sample = Timing.sample(PAIRS, () -> pairs.bindIn(world));
        String name = "released." + Effort.label(beside);
        findings.count(name + ".probes", world.probes() - probes);
        findings.count(name + ".writes", world.counters().writes() - writes);
        findings.count(name + ".decisions", world.counters().decisions() - decisions);
        return sample;
    }

    private static PersistentVolume released(int number) {
        PersistentVolume volume = Pairs.volume("old-" + number, Quantity.ofBytes((1 + number % SIZES) * MEBIBYTE));
        ObjectReference claim = ObjectReference.EMPTY
                .withNamespace("default")
                .withName("gone-" + number)
                .withUid("uid-gone-" + number);
        return volume.withMetadata(
                        volume.metadata().withUid("uid-old-" + number).withFinalizer(Finalizers.PV_PROTECTION))
                .withSpec(volume.spec()
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withClaimRef(Optional.of(claim)))
                .withStatus(volume.status().withPhase(PersistentVolumePhase.RELEASED));
    }
}
