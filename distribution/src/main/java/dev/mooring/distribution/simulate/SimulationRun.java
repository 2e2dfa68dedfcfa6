// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.simulate;

import dev.mooring.simulation.random.FaultClass;
import dev.mooring.simulation.random.Simulation;
import dev.mooring.simulation.random.WorldOptions;
import dev.mooring.simulation.random.WorldReport;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Plays many worlds on some threads until one is not good. Used once. */
public final class SimulationRun {
    private static final long LOOK_MILLIS = 200;

    private final long first;
    private final long seeds;
    private final int threads;
    private final Path folder;
    private final Simulation simulation;
    private final LongSupplier clock;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<Optional<WorldReport>> failure = new AtomicReference<>(Optional.empty());

    /**
     * Makes a run.
     *
     * @param options what the worlds are made of
     * @param first the first seed
     * @param seeds how many, at least 1
     * @param threads how many worlds at a time, at least 1
     * @param folder where the scenario of a failure is written
     */
    public SimulationRun(WorldOptions options, long first, long seeds, int threads, Path folder) {
        this(options, first, seeds, threads, folder, System::nanoTime);
    }

    /** With a clock of one's own, in nanoseconds from any beginning. */
    SimulationRun(WorldOptions options, long first, long seeds, int threads, Path folder, LongSupplier clock) {
        this.simulation = new Simulation(options);
        this.clock = clock;
        this.first = first;
        this.seeds = seeds;
        this.threads = threads;
        this.folder = folder;
    }

    /**
     * Plays.
     *
     * @param out where progress is printed
     * @param terminal whether that is a terminal, which gets a bar; others get a line every ten seconds
     * @return how it went
     * @throws IOException if the scenario of a failure cannot be written
     */
    public Result run(PrintWriter out, boolean terminal) throws IOException, InterruptedException {
        Progress progress = new Progress(out, terminal, seeds, clock);
        ExecutorService workers = Executors.newFixedThreadPool(threads, work -> new Thread(work, "simulate"));
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(workers.submit(this::work));
            }
            for (Future<?> each : running) {
                await(each, progress);
            }
        } finally {
            workers.shutdownNow();
        }
        progress.end(simulation.worlds(), simulation.events());
        double seconds = progress.seconds();
        Optional<WorldReport> failed = failure.get();
        Optional<Path> file = Optional.empty();
        if (failed.isPresent()) {
            out.println("seed " + failed.get().seed() + " breaks "
                    + failed.get().violations().get(0) + "; making it shorter");
            out.flush();
            failed = Optional.of(simulation.shrink(failed.get()));
            file = Optional.of(write(failed.get()));
        }
        return new Result(simulation, seconds, threads, failed, file);
    }

    private void work() {
        for (long i = next.getAndIncrement(); i < seeds && failure.get().isEmpty(); i = next.getAndIncrement()) {
            WorldReport report = simulation.play(first + i);
            if (!report.good()) {
                failure.updateAndGet(known ->
                        known.filter(old -> old.seed() <= report.seed()).or(() -> Optional.of(report)));
            }
        }
    }

    private void await(Future<?> work, Progress progress) throws InterruptedException {
        while (true) {
            try {
                work.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException notYet) {
                progress.tell(simulation.worlds(), simulation.events());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a world could not be played", e.getCause());
            }
        }
    }

    private Path write(WorldReport shrunk) throws IOException {
        Path file = Files.createDirectories(folder).resolve("seed-" + shrunk.seed() + ".yaml");
        Files.writeString(file, simulation.scenario(shrunk));
        return file;
    }

    /**
     * How a run went.
     *
     * @param simulation its sums
     * @param seconds how long it took
     * @param threads on how many threads
     * @param failure the first world found that is not good, shrunk
     * @param file its scenario
     */
    public record Result(
            Simulation simulation, double seconds, int threads, Optional<WorldReport> failure, Optional<Path> file) {
        /** Whether nothing is wrong. */
        public boolean good() {
            return failure.isEmpty();
        }

        private double perSecond() {
            return simulation.events() / Math.max(seconds, 1e-3);
        }

        /** For people. */
        public String text() {
            StringBuilder text = new StringBuilder();
            text.append(String.format(
                    Locale.ROOT,
                    "%d worlds, %d events, %.1f s, %.0f events per second on %d threads, trace %016x%n",
                    simulation.worlds(),
                    simulation.events(),
                    seconds,
                    perSecond(),
                    threads,
                    simulation.hash()));
            simulation
                    .faults()
                    .forEach((fault, count) -> text.append("  ")
                            .append(word(fault))
                            .append(": ")
                            .append(count)
                            .append('\n'));
            failure.ifPresent(world -> describe(text, world));
            return text.append(good() ? "no invariant is broken\n" : "").toString();
        }

        private void describe(StringBuilder text, WorldReport world) {
            text.append("seed ").append(world.seed()).append(" breaks:\n");
            world.violations().stream()
                    .limit(10)
                    .forEach(line -> text.append("  ").append(line).append('\n'));
            text.append("after:\n");
            world.acts().forEach(act -> text.append("  ").append(act.what()).append('\n'));
            if (!world.lastEvents().isEmpty()) {
                text.append("what happened last before the first of these, in virtual time:\n");
                world.lastEvents()
                        .forEach(event -> text.append("  ").append(event).append('\n'));
            }
            text.append("the whole world again: ").append(command(world)).append('\n');
            file.ifPresent(path -> text.append("play it again with: ./mooring play ")
                    .append(path)
                    .append('\n'));
        }

        private static String command(WorldReport world) {
            return "./mooring simulate --first " + world.seed() + " --seeds 1";
        }

        /** For programs: one JSON document. */
        public String json() {
            Map<String, Object> faults = new LinkedHashMap<>();
            simulation.faults().forEach((fault, count) -> faults.put(word(fault), count));
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("worlds", simulation.worlds());
            fields.put("events", simulation.events());
            fields.put("seconds", BigDecimal.valueOf(Math.round(seconds * 1000), 3));
            fields.put("eventsPerSecond", Math.round(perSecond()));
            fields.put("threads", threads);
            fields.put("trace", String.format(Locale.ROOT, "%016x", simulation.hash()));
            fields.put("faults", faults);
            failure.ifPresent(world -> {
                fields.put("seed", world.seed());
                fields.put("violations", world.violations());
                fields.put("lastEvents", world.lastEvents());
                fields.put("command", command(world));
            });
            file.ifPresent(path -> fields.put("scenario", path.toString()));
            return KubernetesJson.standard().writeIndented(Document.of(fields)) + "\n";
        }

        private static String word(FaultClass fault) {
            return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
