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

/** The numbers of one document that a {@link Program} has written, and what is wrong with them. Not thread-safe. */
public final class Numbers {
    private final Map<String, Double> numbers = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    /** Reads all of one document: a second one, or anything that is no JSON, is an error of the parser. */
    public static Numbers read(Path file) throws IOException {
        Numbers read = new Numbers();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            read.take(json);
        }
        return read;
    }

    private void take(JsonParser json) throws IOException {
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

    /** A number, by {@code section/name}; not a number if there is none. */
    public double get(String name) {
        return numbers.getOrDefault(name, Double.NaN);
    }

    /** Whether there is a number of the name. */
    public boolean has(String name) {
        return numbers.containsKey(name);
    }

    /** A problem unless something holds. */
    public void require(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }

    /** A problem unless a number is there and no larger than another. */
    public void atMost(String name, double most) {
        require(get(name) <= most, name + " is " + get(name) + ", more than " + most);
    }

    /** A problem unless two numbers are there and equal. */
    public void same(String one, String other) {
        require(get(one) == get(other), one + " is " + get(one) + " but " + other + " is " + get(other));
    }

    /** A problem unless a number is there and what it shall be. */
    public void is(String name, double wanted) {
        require(get(name) == wanted, name + " is " + get(name) + ", not " + wanted);
    }

    /** Exits with 1 and says why if there is a problem. */
    public void end(String praise) {
        problems.forEach(System.err::println);
        if (!problems.isEmpty()) {
            System.exit(1);
        }
        System.out.println(numbers.size() + " findings, " + praise);
    }
}
