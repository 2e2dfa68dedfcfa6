// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@code ./benchmarks/compare -o json} has written: every ratio is there, and the counts are what they must be on every
 * machine. Times are not judged.
 */
public final class Check {
    private static final List<String> RATIOS = List.of(
            "findBestMatch.growth.1k-1M",
            "findBestMatch.growth.distinct.1k-1M",
            "findBestMatch.speedup.linear.100k",
            "findBestMatch.speedup.sorted.100k",
            "selector.speedup.linear.100k",
            "selector.worst.speedup.linear.100k",
            "update.growth.1k-1M",
            "hashmap.growth.1k-1M",
            "bind.growth.1k-100k",
            "claimsFirst.vs.volumesFirst.100k",
            "released.slowdown.100k");
    private static final List<String> ORDERS = List.of("volumes-first", "claims-first", "interleaved", "pre-bound");

    /** One Available write for each volume that came before its claim, and four writes for the binding. */
    private static final double MOST_WRITES = 5;

    private final Map<String, Double> numbers = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private Check() {}

    /** Exits with 1 and says why if something is missing or wrong. */
    public static void main(String[] arguments) throws IOException {
        Check check = new Check();
        check.read(Path.of(arguments[0]));
        check.judge();
        check.problems.forEach(System.err::println);
        if (!check.problems.isEmpty()) {
            System.exit(1);
        }
        System.out.println(check.numbers.size() + " findings, all ratios there, all counts as they must be");
    }

    /** All of one document: a second one, or anything that is no JSON, is an error of the parser. */
    private void read(Path file) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            int depth = 0;
            int documents = 0;
            String section = "";
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    documents += depth == 0 ? 1 : 0;
                    depth++;
                    section = depth == 2 ? json.currentName() : section;
                } else if (token == JsonToken.END_OBJECT) {
                    depth--;
                } else if (token.isNumeric()) {
                    numbers.put(section + "/" + json.currentName(), json.getDoubleValue());
                } else if (depth == 0) {
                    problems.add("not one JSON object: " + token);
                }
            }
            if (documents != 1) {
                problems.add(documents + " JSON objects instead of one");
            }
        }
    }

    private void judge() {
        for (String ratio : RATIOS) {
            if (!(number("ratios/" + ratio) > 0)) {
                problems.add(ratio + " is missing or not above 0");
            }
        }
        boolean quick = !numbers.containsKey("counts/bind.volumes-first.distinct.100k.writesPerPair");
        for (String order : ORDERS) {
            for (String sizes : quick ? List.of("20") : List.of("20", "distinct")) {
                String name = "counts/bind." + order + "." + sizes + ".";
                double writes = number(name + "100k.writesPerPair");
                boolean isFew = order.equals("claims-first") ? writes == MOST_WRITES - 1 : writes <= MOST_WRITES;
                if (!isFew) {
                    problems.add(name + "100k.writesPerPair is " + writes);
                }
            }
        }
        for (String what : List.of("probes", "writes", "decisions")) {
            same("counts/released.0." + what, "counts/released.100000." + what);
            same("counts/pending.500." + what, "counts/pending.50000." + what);
        }
        is("counts/pending.50000.writes", 4);
        is("counts/pending.50000.claimsWoken", 1);
        is("counts/pending.50000.bound", 1);
    }

    private double number(String name) {
        return numbers.getOrDefault(name, Double.NaN);
    }

    private void same(String one, String other) {
        if (number(one) != number(other)) {
            problems.add(one + " is " + number(one) + " but " + other + " is " + number(other));
        }
    }

    private void is(String name, double wanted) {
        if (number(name) != wanted) {
            problems.add(name + " is " + number(name) + ", not " + wanted);
        }
    }
}
