// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Revision;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/** How much heap the controllers' caches and indexes take for the objects of a large cluster, as they come from an API server. */
public final class MemoryRuns {
    private static final Time NOW = new Time(Instant.parse("2026-02-01T00:00:00Z"), 0);
    private static final KubernetesJson JSON = KubernetesJson.withoutManagedFields();
    private static final List<Kind<?>> MANY =
            List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    private static final int CLAIMS = 100_000;
    private static final int FEW_CLAIMS = 10_000;
    private static final double MEGA = 1e6;

    private MemoryRuns() {}

    /** A loop of all controllers of a cluster's storage, which knows nothing yet. */
    static ControlLoop loop() {
        List<Controller> controllers =
                new ArrayList<>(new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY).controllers());
        controllers.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, PluginRegistry.EMPTY));
        ControlLoop loop = new ControlLoop(controllers, () -> NOW, new Random(1), LoopListener.NONE, effect -> {
            throw new IllegalStateException("everything is as it shall be, but there is " + effect);
        });
        loop.lead(1);
        return loop;
    }

    /** Objects as they come from an API server. */
    static <T extends KubernetesObject> List<T> read(RecordedObjects recorded, Kind<T> kind, FieldSelection kept) {
        List<T> objects = new ArrayList<>();
        for (int i = 0; i < recorded.count(kind); i++) {
            objects.add(kind.read(JSON.read(recorded.bytes(kind, i, 1_000_000 + i), "a benchmark", kept)));
        }
        return objects;
    }

    /** The driver of all volumes: nothing has to be attached, so that nothing is left to do. */
    static CSIDriver unattached() {
        return Kinds.CSI_DRIVER.read(Document.of(Map.of(
                "metadata", Map.of("name", "csi.example.com", "uid", "driver", "resourceVersion", "1"),
                "spec", Map.of("attachRequired", false))));
    }

    private static <T extends KubernetesObject> void list(ControlLoop loop, RecordedObjects recorded, Kind<T> kind) {
        loop.listed(kind, read(recorded, kind, loop.caches().of(kind).kept()), new Revision(10_000_000));
    }

    /**
     * Prints bytes per object, the heap of all, and the processor time of the decisions.
     *
     * @param args {@code --quick} or {@code --once} for a tenth of the objects
     */
    public static void main(String[] args) {
        RecordedObjects recorded = new RecordedObjects(args.length > 0 ? FEW_CLAIMS : CLAIMS);
        ControlLoop loop = loop();
        long first = used();
        long before = first;
        System.out.printf(Locale.ROOT, "%-24s %9s %12s %12s%n", "kind", "objects", "JSON each", "heap each");
        for (Kind<?> kind : MANY) {
            list(loop, recorded, kind);
            long after = used();
            System.out.printf(
                    Locale.ROOT,
                    "%-24s %9d %12d %12d%n",
                    kind.name(),
                    recorded.count(kind),
                    recorded.json(kind, 1, 1).length(),
                    (after - before) / recorded.count(kind));
            before = after;
        }
        for (Kind<?> kind : loop.caches().kinds()) {
            if (kind == Kinds.CSI_DRIVER) {
                loop.listed(Kinds.CSI_DRIVER, List.of(unattached()), new Revision(10_000_000));
            } else if (!MANY.contains(kind)) {
                list(loop, recorded, kind);
            }
        }
        long[] nanos = processorNanosOfDecisions(loop);
        System.out.printf(
                Locale.ROOT, "in step after %d decisions: %.1f MB of heap%n", nanos.length, (used() - first) / MEGA);
        System.out.printf(
                Locale.ROOT,
                "processor time of a decision: %.3f ms of half of them, %.3f ms of 99.9 %%, %.3f ms at most%n",
                nanos[nanos.length / 2] / MEGA,
                nanos[(int) (nanos.length * 0.999)] / MEGA,
                nanos[nanos.length - 1] / MEGA);
        if (loop.caches().of(Kinds.POD).size() != recorded.count(Kinds.POD)) {
            throw new IllegalStateException("some pods are missing");
        }
    }

    /** Makes all decisions; what each took, in rising order. */
    private static long[] processorNanosOfDecisions(ControlLoop loop) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        LongStream.Builder nanos = LongStream.builder();
        long before = threads.getCurrentThreadCpuTime();
        while (loop.decideNext()) {
            long now = threads.getCurrentThreadCpuTime();
            nanos.add(now - before);
            before = now;
        }
        return nanos.build().sorted().toArray();
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
