// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.index;

import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.Map;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The volume for a claim, out of many: by the index, by looking at each, and, as the measure of what memory allows, one get from a
 * HashMap of the same size. Each call takes another claim.
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar FindBestMatchBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx3g")
public class FindBestMatchBenchmark {
    private static final int MOST_SCANNED = 100_000;

    /** How many volumes are free. */
    @Param({"1000", "10000", "100000"})
    public int volumes;

    /** How many different sizes they have: a number, or {@code distinct}. */
    @Param({"20", "distinct"})
    public String sizes = "";

    private PersistentVolumeClaim[] claims = {};
    private PersistentVolume[][] versions = {{}, {}};
    private byte[] version = {};
    private String[] names = {};
    private VolumeIndex index = new VolumeIndex();
    private ColumnScan columns = new ColumnScan(versions[0]);
    private LinearScan scan = new LinearScan(versions[0]);
    private final Map<String, PersistentVolume> byName = new HashMap<>();
    private int next;

    /** Fills what the benchmark looks at. The scans take long to fill, and are compared with at up to 100,000 volumes only. */
    @Setup(Level.Trial)
    public void fill(BenchmarkParams benchmark) {
        Population population = new Population(volumes, sizes.equals("distinct") ? volumes : Integer.parseInt(sizes));
        PersistentVolume[] all = population.volumes();
        versions = new PersistentVolume[][] {
            all, benchmark.getBenchmark().endsWith("update") ? resized(all, population) : all
        };
        version = new byte[all.length];
        claims = population.claims();
        names = new String[Population.CLAIMS];
        index = Population.index(all);
        for (PersistentVolume volume : all) {
            byName.put(volume.metadata().name(), volume);
        }
        for (int i = 0; i < names.length; i++) {
            // A copy, so that the hash and the characters are as cold as those of a name that has just been read.
            names[i] = new String(
                    all[(int) (i * 7919L % all.length)].metadata().name().toCharArray());
        }
        if (volumes <= MOST_SCANNED) {
            scan = new LinearScan(all);
            columns = new ColumnScan(all);
            Population.requireSameAnswers(index, claims, scan::find);
            Population.requireSameAnswers(index, claims, columns::find);
        }
    }

    private static PersistentVolume[] resized(PersistentVolume[] all, Population population) {
        PersistentVolume[] resized = population.volumes();
        for (int i = 0; i < all.length; i++) {
            resized[i] = all[i].withSpec(resized[i].spec());
        }
        return resized;
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

    /** One get from a HashMap. */
    @Benchmark
    public @Nullable PersistentVolume hashMapGet() {
        return byName.get(names[next()]);
    }

    /** A volume changes its size: it leaves its place in the index and takes another. */
    @Benchmark
    public VolumeIndex update() {
        int volume = (int) (next() * 7919L % version.length);
        version[volume] ^= 1;
        index.put(versions[version[volume]][volume]);
        return index;
    }
}
