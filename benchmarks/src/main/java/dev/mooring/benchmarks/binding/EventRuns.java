// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import dev.mooring.benchmarks.compare.Program;
import dev.mooring.benchmarks.compare.RatioTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/** {@code ./benchmarks/events [--quick|--once] [-o table|json]}: what an event costs beside many objects that it does not concern. */
public final class EventRuns {
    private static final String USAGE = """
            usage: ./benchmarks/events [--quick|--once] [-o table|json]

            Counts the decisions and the effects that one event causes beside few and beside ten times as many
            objects. Counts are exact: the same on every machine. Times are processor time.
              --quick    beside 40 and 400 objects instead of 400 and 4,000; --once is the same
              -o json    one JSON object on stdout instead of a table
            Progress goes to stderr.
            """;
    private static final int EVENTS = 50;
    private static final int MORE = 10;

    private final ComparisonFindings findings = new ComparisonFindings();
    private final int few;

    private EventRuns(int few) {
        this.few = few;
    }

    /** Events of one kind, in a world with so many objects that were there before. */
    private record Situation(String name, String meaning, Setup setup) {}

    @FunctionalInterface
    private interface Setup {
        /** Makes the objects that were there before, and answers what makes the event with a number. */
        IntConsumer make(World world, int objects);
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        new Program("events", USAGE, rows())
                .run(arguments, effort -> new EventRuns(effort == Effort.FULL ? 400 : 40).run());
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Situation each : situations()) {
            rows.add(new Row(
                    each.name() + ".decisions.growth", "decisions for one of " + EVENTS + " " + each.meaning(), ""));
        }
        return rows;
    }

    private static List<Situation> situations() {
        return List.of(
                new Situation(
                        "classes",
                        "classes that are created beside claims that name no class",
                        EventRuns::unrelatedClasses),
                new Situation(
                        "nodes",
                        "nodes that are registered beside claims that are provisioned for another node",
                        EventRuns::otherNodes),
                new Situation("volumes", "volumes that no claim's selector selects", EventRuns::unselectedVolumes),
                new Situation(
                        "pods", "pods that name a claim which other pods name as well", EventRuns::podsOfOneClaim),
                new Situation(
                        "deletions",
                        "claims that are deleted beside pods of their namespace",
                        EventRuns::deletedClaims));
    }

    private ComparisonFindings run() {
        for (Situation each : situations()) {
            double beside = measure(each, few);
            double besideMore = measure(each, few * MORE);
            findings.ratio(each.name() + ".decisions.growth", Math.max(1, besideMore) / Math.max(1, beside));
        }
        return findings;
    }

    /** How many decisions an event causes. */
    private double measure(Situation situation, int objects) {
        World world = new World().start();
        IntConsumer event = situation.setup().make(world, objects);
        world.settle();
        long decisions = world.counters().decisions();
        long effects = effects(world);
        Timing.Sample sample = Timing.sample(EVENTS, () -> {
            for (int i = 0; i < EVENTS; i++) {
                event.accept(i);
                world.settle();
            }
        });
        String name = situation.name() + "." + objects;
        double caused = (double) (world.counters().decisions() - decisions) / EVENTS;
        findings.count(name + ".decisions", caused);
        double carriedOut = (double) (effects(world) - effects) / EVENTS;
        findings.count(name + ".effects", carriedOut);
        findings.figure(name + ".cpu.us", sample.cpu() / 1e3);
        System.err.printf(
                Locale.ROOT,
                "  %-20s %,10.1f decisions, %,8.1f effects, %,10.1f us for each%n",
                name,
                caused,
                carriedOut,
                sample.cpu() / 1e3);
        return caused;
    }

    private static long effects(World world) {
        return world.counters().writes() + world.counters().reads();
    }

    private static IntConsumer unrelatedClasses(World world, int claims) {
        for (int i = 0; i < claims; i++) {
            world.createYaml(claim("data-" + i, ""));
        }
        return i -> world.createYaml(storageClass("class-" + i));
    }

    private static IntConsumer otherNodes(World world, int claims) {
        world.createYaml(storageClass("late"));
        world.createYaml(node("chosen"));
        for (int i = 0; i < claims; i++) {
            world.createYaml(claim(
                    "data-" + i + ", annotations: {volume.kubernetes.io/selected-node: chosen}",
                    "  storageClassName: late\n"));
        }
        return i -> world.createYaml(node("other-" + i));
    }

    private static IntConsumer unselectedVolumes(World world, int claims) {
        for (int i = 0; i < claims; i++) {
            world.createYaml(claim(
                    "data-" + i,
                    "  storageClassName: \"\"\n  selector: {matchExpressions: [{key: tier, operator: Exists}]}\n"));
        }
        return i -> world.createYaml("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: volume-%d, labels: {zone: a}}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  persistentVolumeReclaimPolicy: Retain
                  nfs: {server: nfs.example.com, path: /%d}
                """.formatted(i, i));
    }

    private static IntConsumer podsOfOneClaim(World world, int pods) {
        world.createYaml(storageClass("late"));
        world.createYaml(claim("shared", "  storageClassName: late\n"));
        IntConsumer pod = i -> world.createYaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: worker-%06d, namespace: default}
                spec:
                  containers: [{name: main, image: registry.example.com/app}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: shared}}]
                """.formatted(i));
        for (int i = 0; i < pods; i++) {
            pod.accept(i);
        }
        return i -> pod.accept(pods + i);
    }

    private static IntConsumer deletedClaims(World world, int pods) {
        for (int i = 0; i < EVENTS; i++) {
            world.createYaml(claim("data-" + i, "  storageClassName: \"\"\n"));
        }
        for (int i = 0; i < pods; i++) {
            world.createYaml("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: other-%d, namespace: default}
                    spec: {nodeName: chosen, containers: [{name: main, image: registry.example.com/app}]}
                    """.formatted(i));
        }
        return i -> world.deleteClaim("data-" + i);
    }

    private static String claim(String name, String more) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s, namespace: default}
                spec:
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """.formatted(name) + more;
    }

    private static String storageClass(String name) {
        return """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: example.com/external
                volumeBindingMode: WaitForFirstConsumer
                """.formatted(name);
    }

    private static String node(String name) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                """.formatted(name);
    }
}
