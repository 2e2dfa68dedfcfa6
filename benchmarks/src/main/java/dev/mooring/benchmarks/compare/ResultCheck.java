// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads what {@code ./benchmarks/compare -o json} has written: every ratio is there, and the counts are what they must be on every
 * machine. Times are not judged.
 */
public final class ResultCheck {
    /** MANY and MOST stand for the numbers of volumes, which the effort decides. */
    private static final List<String> RATIOS = List.of(
            "findBestMatch.growth.1k-MOST",
            "findBestMatch.growth.distinct.1k-MOST",
            "findBestMatch.speedup.linear.MANY",
            "findBestMatch.speedup.sorted.MANY",
            "selector.speedup.linear.MANY",
            "selector.worst.speedup.linear.MANY",
            "update.growth.1k-MOST",
            "hashmap.growth.1k-MOST",
            "bind.growth.1k-MANY",
            "claimsFirst.vs.volumesFirst.MANY",
            "released.slowdown.MANY");

    private static final List<String> ORDERS = List.of("volumes-first", "claims-first", "interleaved", "pre-bound");

    /** One Available write for each volume that came before its claim, and four writes for the binding. */
    private static final double MOST_WRITES = 5;

    private ResultCheck() {}

    /** Exits with 1 and says why if something is missing or wrong. */
    public static void main(String[] arguments) throws IOException {
        Numbers numbers = Numbers.read(Path.of(arguments[0]));
        judge(numbers);
        numbers.end("all ratios there, all counts as they must be");
    }

    private static void judge(Numbers numbers) {
        Effort effort = numbers.has("ratios/released.slowdown.100k") ? Effort.QUICK : Effort.ONCE;
        String many = Effort.label(effort.many());
        String waiting = Effort.label(effort.many() / 2);
        for (String each : RATIOS) {
            String ratio = each.replace("MOST", Effort.label(effort.most())).replace("MANY", many);
            numbers.require(numbers.get("ratios/" + ratio) > 0, ratio + " is missing or not above 0");
        }
        boolean quick = !numbers.has("counts/bind.volumes-first.distinct.100k.writesPerPair");
        for (String order : ORDERS) {
            for (String sizes : quick ? List.of("20") : List.of("20", "distinct")) {
                String name = "counts/bind." + order + "." + sizes + ".";
                double writes = numbers.get(name + many + ".writesPerPair");
                boolean isFew = order.equals("claims-first") ? writes == MOST_WRITES - 1 : writes <= MOST_WRITES;
                numbers.require(isFew, name + many + ".writesPerPair is " + writes);
            }
        }
        for (String what : List.of("probes", "writes", "decisions")) {
            numbers.same("counts/released.0." + what, "counts/released." + many + "." + what);
            numbers.same("counts/pending.500." + what, "counts/pending." + waiting + "." + what);
        }
        numbers.is("counts/pending." + waiting + ".writes", 4);
        numbers.is("counts/pending." + waiting + ".claimsWoken", 1);
        numbers.is("counts/pending." + waiting + ".bound", 1);
    }
}
