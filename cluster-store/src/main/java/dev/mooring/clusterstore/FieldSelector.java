// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.fields.Messages;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A conjunction of equations and inequations of fields that Kubernetes selects by: {@code metadata.name=x,spec.nodeName!=y}. */
final class FieldSelector {
    private static final Set<String> EVERYWHERE = Set.of("metadata.name", "metadata.namespace");
    private static final Map<Kind<?>, Set<String>> PER_KIND = Map.of(
            Kinds.POD,
                    Set.of(
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "status.phase",
                            "status.podIP",
                            "status.nominatedNodeName"),
            Kinds.EVENT,
                    Set.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "reason",
                            "reportingComponent",
                            "source",
                            "type"),
            Kinds.NODE, Set.of("spec.unschedulable"),
            Kinds.NAMESPACE, Set.of("status.phase"),
            Kinds.SECRET, Set.of("type"));

    private final List<Term> terms;

    private FieldSelector(List<Term> terms) {
        this.terms = terms;
    }

    /**
     * Reads a selector; refuses it as invalid if it is malformed or names a field that the kind does not select by.
     *
     * @param more fields that the kind selects by, since its definition says so
     */
    static FieldSelector parse(Kind<?> kind, List<String> more, String text) {
        List<Term> terms = new ArrayList<>();
        for (String part : split(text)) {
            if (!part.isEmpty()) {
                terms.add(term(kind, more, text, part));
            }
        }
        return new FieldSelector(List.copyOf(terms));
    }

    private static Term term(Kind<?> kind, List<String> more, String text, String part) {
        int equals = part.indexOf('=');
        if (equals < 1) {
            throw new Refused(Failure.INVALID, "invalid selector: '" + text + "'; can't understand '" + part + "'");
        }
        boolean negated = part.charAt(equals - 1) == '!';
        String field = part.substring(0, negated ? equals - 1 : equals).trim();
        String value = part.substring(equals + (part.startsWith("==", equals) ? 2 : 1));
        boolean known = EVERYWHERE.contains(field)
                || more.contains(field)
                || PER_KIND.getOrDefault(kind, Set.of()).contains(field);
        if (!known) {
            throw new Refused(Failure.INVALID, unknown(kind, field));
        }
        return new Term(field.split("\\.", -1), unescaped(value), negated);
    }

    /** In the API server's words, which are others for kinds with fields of their own. */
    private static String unknown(Kind<?> kind, String field) {
        return PER_KIND.containsKey(kind)
                ? "field label not supported: " + field
                : Messages.quoted(field)
                        + " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    }

    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == ',') {
                parts.add(text.substring(start, i).trim());
                start = i + 1;
            }
        }
        parts.add(text.substring(start).trim());
        return parts;
    }

    private static String unescaped(String value) {
        return value.replaceAll("\\\\([\\\\,=])", "$1");
    }

    /** Whether an object fulfils everything; an absent field counts as empty, an absent flag as {@code false}. */
    boolean matches(Document object) {
        for (Term term : terms) {
            if (valueOf(object, term.path).equals(term.value) == term.negated) {
                return false;
            }
        }
        return true;
    }

    private static String valueOf(Document object, String[] path) {
        if (path[path.length - 1].equals("unschedulable")) {
            return Boolean.toString(Fields.isTrue(object, path));
        }
        if (path.length == 1 && path[0].equals("source")) {
            String component = Fields.text(object, "source", "component");
            return component.isEmpty() ? Fields.text(object, "reportingComponent") : component;
        }
        return object.at(path).map(Object::toString).orElse("");
    }

    private static final class Term {
        final String[] path;
        final String value;
        final boolean negated;

        Term(String[] path, String value, boolean negated) {
            this.path = path;
            this.value = value;
            this.negated = negated;
        }
    }
}
