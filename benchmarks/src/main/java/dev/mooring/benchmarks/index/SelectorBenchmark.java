// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A claim whose selector asks for two labels: by the index and by looking at each volume. All capacities are distinct. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx3g")
public class SelectorBenchmark {
    /** How many volumes are free. */
    @Param({"100000"})
    public int volumes;

    /**
     * {@code two-labels}: a zone out of three and a tier out of ten, uniform over the capacities. {@code empty}: the worst case, the
     * zone of one half of the volumes and the tier of the other half.
     */
    @Param({"two-labels", "empty"})
    public String selector = "";

    private PersistentVolumeClaim[] claims = {};
    private VolumeIndex index = new VolumeIndex();
    private ColumnScan columns = new ColumnScan(new PersistentVolume[0]);
    private LinearScan scan = new LinearScan(new PersistentVolume[0]);
    private int next;

    /** Fills the index and the scan. */
    @Setup(Level.Trial)
    public void fill() {
        Population population = new Population(volumes, volumes);
        PersistentVolume[] all = population.volumes();
        claims = population.claims();
        if (selector.equals("empty")) {
            Population.labelHalves(all);
            Population.selectNothing(claims);
        } else {
            Population.label(all);
            Population.select(claims);
        }
        index = Population.index(all);
        scan = new LinearScan(all);
        columns = new ColumnScan(all);
        Population.requireSameAnswers(index, claims, scan::find);
        Population.requireSameAnswers(index, claims, columns::find);
    }

    private int next() {
        next = (next + 1) & (Population.CLAIMS - 1);
        return next;
    }

    /** The index. */
    @Benchmark
    public @Nullable PersistentVolume index() {
        return index.findBestMatchOrNull(claims[next()], MatchOptions.DEFAULT);
    }

    /** Every volume looked at. */
    @Benchmark
    public @Nullable PersistentVolume linearScan() {
        return scan.find(claims[next()]);
    }

    /** Every row of some arrays looked at. */
    @Benchmark
    public @Nullable PersistentVolume columnScan() {
        return columns.find(claims[next()]);
    }
}
