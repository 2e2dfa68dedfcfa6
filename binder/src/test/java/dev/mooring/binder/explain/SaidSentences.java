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
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Shorter pieces are glue, and stand in many sentences. */
    private static final int WORDS = 3;

    /**
     * What is said of a moment that passes by itself, before or between writes of the binder, or of objects that no API server takes: the
     * advice that goes with it, if there is one, is followed elsewhere.
     */
    static final List<String> PASSING = List.of(
            ", which exists.",
            ", which the node does when a pod uses it",
            "; its last event says:",
            "; this one is being given back.",
            "All volumes are in use.",
            "It is being deleted, and nothing keeps it.",
            "Nothing keeps the claim:",
            "Set the policy to Retain; the data stays.",
            "The volume's reclaim policy is not known here.",
            "The volume's storage is being reclaimed.",
            "The volume's storage is to be reclaimed.",
            "a node that cannot exist",
            "a known policy",
            "a volume to be taken for the claim",
            "cannot be bound again yet: its storage is being reclaimed, or the volume is malformed.",
            "fits; where binding is delayed the scheduler has to take it.",
            "has got volume",
            "is being bound to the volume.",
            "is being deleted.",
            "its phase is",
            "of the cluster's default",
            "of this control plane makes the volume.",
            "storage that may have been made to be destroyed",
            "the claim to be bound",
            "the other half to be written",
            "the storage to be reclaimed",
            "the volume's storage to be destroyed",
            "this to end first:",
            "to be bound",
            "was selected for the claim, but does not exist.",
            "what it asks for now");

    private final Set<String> left = new TreeSet<>();
    private final int all;

    /** Reads the literals of the classes that advise. */
    SaidSentences(Path sources) {
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.filter(file -> file.toString().matches(".*(Causes|Remedies)\\.java"))
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

    /** What nobody has said. */
    Set<String> left() {
        return left;
    }
}
