// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fields;

import dev.mooring.storage.model.Kind;
import java.util.List;

/** The API server's sentences. */
public final class Messages {
    private static final int MOST_PROBLEMS = 100;
    private static final int LONGEST_PROBLEM = 2_000;

    private Messages() {}

    /** The resource of a kind as messages name it: {@code persistentvolumes}, {@code storageclasses.storage.k8s.io}. */
    public static String resource(Kind<?> kind) {
        return kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
    }

    /** There is no such object. */
    public static String notFound(Kind<?> kind, String name) {
        return resource(kind) + " " + quoted(name) + " not found";
    }

    /** The kind has no such sub-resource. */
    public static String noSubresource(Kind<?> kind, String subresource) {
        return "the server could not find the requested resource: " + resource(kind) + "/" + subresource;
    }

    /** There is one already. */
    public static String alreadyExists(Kind<?> kind, String name) {
        return resource(kind) + " " + quoted(name) + " already exists";
    }

    /** There is one still, which has been deleted and has not gone yet. */
    public static String stillThere(Kind<?> kind, String name) {
        return "object is being deleted: " + alreadyExists(kind, name);
    }

    /** A precondition does not hold. */
    public static String conflict(Kind<?> kind, String name, String why) {
        return "Operation cannot be fulfilled on " + resource(kind) + " " + quoted(name) + ": " + why;
    }

    /** Another write was faster. */
    public static String modified(Kind<?> kind, String name) {
        return conflict(
                kind,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** The uid is another one. */
    public static String otherUid(Kind<?> kind, String name, String wanted, String found) {
        return conflict(
                kind, name, "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + found);
    }

    /** An admission rule refuses. */
    public static String forbidden(Kind<?> kind, String name, String why) {
        return resource(kind) + " " + quoted(name) + " is forbidden: " + why;
    }

    /**
     * Rules of the kind are broken. Of very many problems the first are named, and of very long ones the beginning: the message must
     * not be longer by much than what it is about.
     */
    public static String invalid(Kind<?> kind, String name, List<?> problems) {
        String full = kind.group().isEmpty() ? kind.name() : kind.name() + "." + kind.group();
        List<String> told = problems.stream()
                .limit(MOST_PROBLEMS)
                .map(problem -> shortened(problem.toString()))
                .toList();
        String more = problems.size() > MOST_PROBLEMS ? ", and " + (problems.size() - MOST_PROBLEMS) + " more" : "";
        return full + " " + quoted(shortened(name)) + " is invalid: "
                + (problems.size() == 1 ? told.get(0) : "[" + String.join(", ", told) + more + "]");
    }

    /** What is cut within quotation marks gets the second one back. */
    private static String shortened(String text) {
        if (text.length() <= LONGEST_PROBLEM) {
            return text;
        }
        String begin = text.substring(0, LONGEST_PROBLEM);
        boolean quoted = false;
        for (int i = 0; i < begin.length(); i++) {
            if (begin.charAt(i) == '\\') {
                i++;
            } else if (begin.charAt(i) == '"') {
                quoted = !quoted;
            }
        }
        return begin + (quoted ? "...\"" : "...");
    }

    /** A text between quotation marks, with those inside escaped. */
    public static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
