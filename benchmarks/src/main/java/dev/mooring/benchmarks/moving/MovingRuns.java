// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import dev.mooring.benchmarks.compare.Program;
import dev.mooring.benchmarks.compare.RatioTable.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code ./benchmarks/moving [--quick|--once] [-o table|json]}: pods move to other nodes with their volumes, in virtual time. */
public final class MovingRuns {
    private static final String USAGE = """
            usage: ./benchmarks/moving [--quick|--once] [-o table|json]

            Moves 1,000 pods among 5,000 nodes with 20 volumes each in virtual time, by our attach-detach controller
            and by a model of the peer's. All findings are exact: the same on every machine.
              --quick    100 pods among 200 nodes; --once is the same
              -o json    one JSON object on stdout instead of a table
            Progress goes to stderr.
            """;
    /** As many as an attacher has by default (semantics/attach-and-mount §1.12), and enough that no call waits. */
    private static final List<Integer> WORKERS = List.of(10, 100);

    private final ComparisonFindings findings = new ComparisonFindings();
    private final boolean full;

    private MovingRuns(boolean full) {
        this.full = full;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        new Program("moving", USAGE, rows()).run(arguments, effort -> new MovingRuns(effort == Effort.FULL).run());
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String which : List.of("drained", "scattered")) {
            for (int workers : WORKERS) {
                String name = which + "." + workers + ".";
                String what = which + ", " + workers + " workers: ";
                rows.add(new Row(name + "makespan", what + "the peer's time until the last pod has its volume", ""));
                rows.add(new Row(name + "p50", what + "the peer's time until half of the pods have theirs", ""));
                rows.add(new Row(name + "writes", what + "the peer's writes by its controller", ""));
                rows.add(new Row(name + "patches", what + "of these to the status of a Node", ""));
                rows.add(
                        new Row(name + "rhythm.makespan", what + "the peer's time, its nodes in their own rhythm", ""));
            }
        }
        return rows;
    }

    private ComparisonFindings run() {
        for (boolean drained : List.of(true, false)) {
            for (int workers : WORKERS) {
                MovingSetting setting = MovingSetting.of(full ? 5_000 : 200, full ? 1_000 : 100, drained, workers);
                compare(setting, (drained ? "drained." : "scattered.") + workers + ".");
            }
        }
        return findings;
    }

    private void compare(MovingSetting setting, String name) {
        Tally ours = note(name + "ours", new OurWorld(setting, false).run());
        Tally peer = note(name + "peer", new PeerWorld(setting, false).run());
        Tally rhythm = note(name + "peer.rhythm", new PeerWorld(setting, true).run());
        findings.count(name + "floor.ms", setting.floor().toMillis());
        findings.ratio(name + "makespan", ratio(peer.until(1), ours.until(1)));
        findings.ratio(name + "p50", ratio(peer.until(0.5), ours.until(0.5)));
        findings.ratio(name + "writes", (double) peer.controllerWrites / ours.controllerWrites);
        findings.ratio(name + "patches", (double) peer.statusPatches / ours.statusPatches);
        findings.ratio(name + "rhythm.makespan", ratio(rhythm.until(1), ours.until(1)));
    }

    private static double ratio(Duration one, Duration other) {
        return (double) one.toNanos() / other.toNanos();
    }

    private Tally note(String name, Tally tally) {
        findings.count(name + ".writes", tally.writes());
        findings.count(name + ".controllerWrites", tally.controllerWrites);
        findings.count(name + ".statusPatches", tally.statusPatches);
        findings.count(name + ".conflicts", tally.conflicts);
        findings.count(name + ".controllerReads", tally.controllerReads);
        findings.count(name + ".nodeWrites", tally.nodeWrites);
        findings.count(name + ".attacherWrites", tally.attacherWrites);
        findings.count(name + ".looks", tally.looks);
        findings.count(name + ".p50.ms", tally.until(0.5).toMillis());
        findings.count(name + ".p99.ms", tally.until(0.99).toMillis());
        findings.count(name + ".makespan.ms", tally.until(1).toMillis());
        System.err.printf(
                Locale.ROOT,
                "  %-28s %,6d writes by the controller, %,6d of them to Nodes, %,6d by nodes; %,11d looks; "
                        + "half after %.1f s, all after %.1f s%n",
                name,
                tally.controllerWrites,
                tally.statusPatches,
                tally.nodeWrites,
                tally.looks,
                tally.until(0.5).toMillis() / 1e3,
                tally.until(1).toMillis() / 1e3);
        return tally;
    }
}
