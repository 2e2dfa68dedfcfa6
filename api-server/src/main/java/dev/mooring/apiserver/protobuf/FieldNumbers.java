// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which field has which number in Kubernetes' protocol buffer messages: {@code kubernetes.numbers} is made from published descriptors, {@code
 * later.numbers} is kept by hand. What a field holds, the schema says.
 */
final class FieldNumbers {
    private static final FieldNumbers STANDARD = new FieldNumbers(List.of("kubernetes.numbers", "later.numbers"));

    private final Map<String, Map<Integer, Member>> messages = new HashMap<>();

    /**
     * What a number stands for.
     *
     * @param name the field; the message if its fields stand in the object itself
     * @param isInline whether it is such a message
     */
    record Member(String name, boolean isInline) {}

    private FieldNumbers(List<String> resources) {
        resources.forEach(this::read);
    }

    static FieldNumbers standard() {
        return STANDARD;
    }

    /** The members of a message by number, in the order of the numbers; none if the message is not known. */
    Map<Integer, Member> of(String message) {
        return messages.getOrDefault(message, Map.of());
    }

    private void read(String resource) {
        try (InputStream in = FieldNumbers.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        String[] parts = line.split(" ", -1);
        Map<Integer, Member> members = messages.computeIfAbsent(parts[0], name -> new TreeMap<>());
        for (int i = 1; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            String name = parts[i].substring(colon + 1);
            boolean isInline = name.startsWith("=");
            members.put(
                    Integer.valueOf(parts[i].substring(0, colon)),
                    new Member(isInline ? name.substring(1) : name, isInline));
        }
    }
}
