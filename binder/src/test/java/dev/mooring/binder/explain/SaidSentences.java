// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The words that the code can put into an explanation, from its source, and whether an explanation had them. */
final class SaidSentences {
    /** What explains claims and volumes. */
    private static final String CLASSES =
            "(Claim|Consumer|Deletion|Expansion|Match|Provisioning|Volume)(Causes|Remedies)";

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Shorter pieces are glue, and stand in many sentences. */
    private static final int WORDS = 3;

    /** What no situation has: each stands for what is missing, or needs an event. */
    static final List<String> UNSAID = List.of(
            "; its last event says: \"", // an event of another program
            "Its last event says: \"", // the same of a volume
            "No plugin here and no CSIDriver object has this name; did you mean", // followed with the class
            "It is being deleted, and nothing keeps it.", // the store removes it in the same write
            "a node that cannot exist", // an affinity without terms, which is refused
            "cannot be bound again yet: its storage is being reclaimed, or the volume is malformed.", // else a message
            // says why
            "this to end first:", // the reasons of a refused repair, each of which has an advice of its own here
            "what it asks for now"); // a claim that is made again for its name alone

    private final Set<String> left = new TreeSet<>();
    private final int all;

    /** Reads the literals of the classes that advise. */
    SaidSentences(Path sources) {
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.filter(file -> file.toString().matches(".*/(" + CLASSES + ")\\.java"))
                    .toList()) {
                left.addAll(sentences(Files.readString(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        all = left.size();
    }

    private static List<String> sentences(String source) {
        List<String> found = new ArrayList<>();
        // literals that are put together stand in one sentence
        Matcher matcher = LITERAL.matcher(source.replaceAll("\"\\s*\\+\\s*\"", ""));
        while (matcher.find()) {
            Arrays.stream(matcher.group(1)
                            .replace("\\\"", "\"")
                            .replace("\\n", "\n")
                            .split("%[sd]|\n", -1))
                    .map(String::strip)
                    .filter(piece -> piece.split(" ", -1).length >= WORDS)
                    .forEach(found::add);
        }
        return found;
    }

    /** Takes note of what was said. */
    void said(String text) {
        left.removeIf(text::contains);
    }

    int all() {
        return all;
    }

    /** What no message has said. */
    Set<String> left() {
        return left;
    }
}
