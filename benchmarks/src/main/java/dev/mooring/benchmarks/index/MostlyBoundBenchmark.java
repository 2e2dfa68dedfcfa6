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

/**
 * The worst case of a sorted list: best-fit binding has taken the smaller volumes, so that 99 of 100 volumes above a small request are
 * Bound and come first.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx3g")
public class MostlyBoundBenchmark {
    /** How many volumes there are, of distinct capacities. */
    @Param({"100000"})
    public int volumes;

    private PersistentVolumeClaim[] claims = {};
    private VolumeIndex index = new VolumeIndex();
    private SortedList list = new SortedList(new PersistentVolume[0]);
    private int next;

    /** Fills the index and the list. */
    @Setup(Level.Trial)
    public void fill() {
        Population population = new Population(volumes, volumes);
        PersistentVolume[] all = population.volumes();
        population.bindSmall(all);
        claims = population.claims(volumes / 100);
        index = Population.index(all);
        list = new SortedList(all);
        Population.requireSameAnswers(index, claims, list::find);
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

    /** A binary search, then forward over what is Bound. */
    @Benchmark
    public @Nullable PersistentVolume sortedList() {
        return list.find(claims[next()]);
    }
}
