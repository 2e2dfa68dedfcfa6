// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is done about fields that are unknown or stand twice: the parameter {@code fieldValidation} of one request. They are
 * refused, warned of (unless the client says otherwise) or passed over. Not thread-safe.
 */
public final class FieldValidation {
    /** More of them would make a header that clients refuse. */
    private static final int MOST = 20;

    private static final int LONGEST = 200;

    private enum Mode {
        IGNORE,
        WARN,
        STRICT
    }

    private final Mode mode;
    private final Set<String> findings = new LinkedHashSet<>();

    private FieldValidation(Mode mode) {
        this.mode = mode;
    }

    public static FieldValidation of(ApiRequest request) {
        String wanted = request.parameter("fieldValidation");
        return new FieldValidation(
                switch (wanted) {
                    case "Ignore" -> Mode.IGNORE;
                    case "", "Warn" -> Mode.WARN;
                    case "Strict" -> Mode.STRICT;
                    default ->
                        throw Statuses.invalidOptions(
                                request.optionsKind(),
                                "fieldValidation: Unsupported value: \"" + wanted
                                        + "\": supported values: \"Ignore\", \"Strict\", \"Warn\"");
                });
    }

    void duplicate(String path) {
        add("duplicate", path);
    }

    /**
     * Fields that the schema does not know.
     *
     * @param excused those among them that are not this request's doing
     */
    public void unknown(List<String> paths, List<String> excused) {
        List<String> own = new ArrayList<>(paths);
        own.removeAll(Set.copyOf(excused));
        own.forEach(each -> add("unknown", each));
    }

    private void add(String what, String path) {
        if (mode != Mode.IGNORE && findings.size() < MOST) {
            String shown = path.length() > LONGEST ? path.substring(0, LONGEST) + "..." : path;
            findings.add(what + " field \"" + shown + "\"");
        }
    }

    /** Refuses the request if it wants that. */
    public void enforce(Kind<?> kind) {
        enforce(kind.name(), kind.version());
    }

    /** The same for what no store holds. */
    public void enforce(String kind, String version) {
        if (mode == Mode.STRICT && !findings.isEmpty()) {
            throw RestFailure.badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + kind
                    + ": strict decoding error: " + String.join(", ", findings));
        }
    }

    /** What to warn of. */
    public List<String> warnings() {
        return List.copyOf(findings);
    }
}
