// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.customresources.CustomResourceDefinition.DefinedNames;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** What the status of a definition says: which names it has, and whether its kind is served. Pure functions. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DefinitionStatus {
    /** What keeps a definition until its objects have gone. */
    public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private static final String ACCEPTED = "NamesAccepted";
    private static final String ESTABLISHED = "Established";
    private static final String TERMINATING = "Terminating";
    private static final String APPROVED = "KubernetesAPIApprovalPolicyConformant";
    private static final String APPROVAL = "api-approved.kubernetes.io";

    private DefinitionStatus() {}

    /** The definition as it is made, or as it is after a change: with what it means by default, and with the stored versions. */
    public static Document defaulted(Document definition) {
        DefinedNames names = DefinedNames.of(Fields.object(definition, "spec", "names"));
        Document filled = definition;
        if (!names.kind().isEmpty()) {
            filled = ifMissing(filled, names.singular(), "spec", "names", "singular");
            filled = ifMissing(filled, names.listKind(), "spec", "names", "listKind");
        }
        return ifMissing(filled, Map.of("strategy", "None"), "spec", "conversion");
    }

    private static Document ifMissing(Document object, Object value, String... path) {
        boolean parent = path.length < 3 || object.object(path[0], path[1]).isPresent();
        boolean root = object.object("spec").isPresent();
        return !parent || !root || Fields.isSet(object, path) ? object : object.with(value, path);
    }

    /** A new definition's status. */
    public static Document created(Document definition) {
        return definition
                .with(Map.of("kind", "", "plural", ""), "status", "acceptedNames")
                .with(List.of(), "status", "conditions")
                .with(storage(definition), "status", "storedVersions");
    }

    private static List<String> storage(Document definition) {
        return Fields.objects(definition, "spec", "versions").stream()
                .filter(each -> Fields.isTrue(each, "storage"))
                .map(each -> Fields.text(each, "name"))
                .toList();
    }

    /** A changed definition: a version that is stored from now on is one of those that may be stored. */
    public static Document changed(Document definition) {
        List<String> stored = new ArrayList<>(Fields.texts(definition, "status", "storedVersions"));
        boolean isNew = false;
        for (String each : storage(definition)) {
            isNew |= !stored.contains(each) && stored.add(each);
        }
        return isNew ? definition.with(stored, "status", "storedVersions") : definition;
    }

    /** Whether the kind is served. */
    public static boolean isEstablished(Document definition) {
        return condition(definition, ESTABLISHED)
                .filter(each -> Fields.text(each, "status").equals("True"))
                .isPresent();
    }

    private static Optional<Document> condition(Document definition, String type) {
        return Fields.objects(definition, "status", "conditions").stream()
                .filter(each -> Fields.text(each, "type").equals(type))
                .findFirst();
    }

    /** The names under which the kind is served. */
    public static DefinedNames accepted(Document definition) {
        return DefinedNames.of(Fields.object(definition, "status", "acceptedNames"));
    }

    /**
     * The definition with the status that it should have.
     *
     * @param others all other definitions of the same group
     */
    public static Document settled(Document definition, Collection<Document> others, Instant now) {
        DefinedNames wanted = DefinedNames.of(Fields.object(definition, "spec", "names"));
        List<DefinedNames> taken =
                others.stream().map(DefinitionStatus::accepted).toList();
        Names accepted = Names.of(wanted, accepted(definition), taken);
        Document settled = definition.with(accepted.fields(), "status", "acceptedNames");
        List<Document> conditions = new ArrayList<>(Fields.objects(definition, "status", "conditions"));
        put(conditions, ACCEPTED, accepted.problem.isEmpty(), accepted.reason(), accepted.message(), now);
        boolean established = isEstablished(definition) || accepted.problem.isEmpty();
        put(
                conditions,
                ESTABLISHED,
                established,
                established ? "InitialNamesAccepted" : "NotAccepted",
                established ? "the initial names have been accepted" : "not all names are accepted",
                now);
        approval(definition)
                .ifPresent(message -> put(
                        conditions,
                        APPROVED,
                        !message.startsWith("not approved"),
                        message.startsWith("not approved") ? "UnapprovedAnnotation" : "ApprovedAnnotation",
                        message,
                        now));
        if (Fields.isDeleting(definition)) {
            put(
                    conditions,
                    TERMINATING,
                    true,
                    "InstanceDeletionInProgress",
                    "CustomResource deletion is in progress",
                    now);
        }
        return settled.with(conditions.stream().map(Document::asMap).toList(), "status", "conditions");
    }

    private static Optional<String> approval(Document definition) {
        String group = Fields.text(definition, "spec", "group");
        if (!isProtected(group)) {
            return Optional.empty();
        }
        String annotation = Fields.annotation(definition, APPROVAL).orElse("");
        return Optional.of(
                annotation.startsWith("unapproved")
                        ? "not approved: \"" + annotation + "\""
                        : "approved in " + annotation);
    }

    static boolean isProtected(String group) {
        return Stream.of("k8s.io", "kubernetes.io").anyMatch(each -> group.equals(each) || group.endsWith("." + each));
    }

    private static void put(
            List<Document> conditions, String type, boolean status, String reason, String message, Instant now) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("lastTransitionTime", Fields.timeText(now));
        fields.put("message", message);
        fields.put("reason", reason);
        fields.put("status", status ? "True" : "False");
        fields.put("type", type);
        Document wanted = Document.of(fields);
        for (int i = 0; i < conditions.size(); i++) {
            Document before = conditions.get(i);
            if (Fields.text(before, "type").equals(type)) {
                boolean same = Fields.text(before, "status").equals(fields.get("status"));
                conditions.set(
                        i,
                        same ? wanted.with(Fields.text(before, "lastTransitionTime"), "lastTransitionTime") : wanted);
                return;
            }
        }
        conditions.add(wanted);
    }

    /** Names that are free, and why another one is not. */
    private record Names(DefinedNames accepted, Optional<String> problem, String why) {
        /** Plural, singular and short names share a space; kind and list kind another. */
        static Names of(DefinedNames wanted, DefinedNames current, List<DefinedNames> taken) {
            Set<String> resources = taken.stream()
                    .flatMap(each ->
                            Stream.concat(Stream.of(each.plural(), each.singular()), each.shortNames().stream()))
                    .filter(each -> !each.isEmpty())
                    .collect(Collectors.toSet());
            Set<String> kinds = taken.stream()
                    .flatMap(each -> Stream.of(each.kind(), each.listKind()))
                    .filter(each -> !each.isEmpty())
                    .collect(Collectors.toSet());
            Optional<String> problem = Optional.empty();
            String why = "";
            String plural = wanted.plural();
            if (resources.contains(plural)) {
                problem = Optional.of(plural);
                why = "PluralConflict";
                plural = current.plural();
            }
            String singular = wanted.singular();
            if (resources.contains(singular)) {
                problem = Optional.of(singular);
                why = "SingularConflict";
                singular = current.plural().isEmpty() ? "" : current.singular();
            }
            List<String> shortNames = wanted.shortNames();
            Optional<String> taking =
                    shortNames.stream().filter(resources::contains).findFirst();
            if (taking.isPresent()) {
                problem = taking;
                why = "ShortNamesConflict";
                shortNames = current.shortNames();
            }
            String kind = wanted.kind();
            if (kinds.contains(kind)) {
                problem = Optional.of(kind);
                why = "KindConflict";
                kind = current.kind();
            }
            String listKind = wanted.listKind();
            if (kinds.contains(listKind)) {
                problem = Optional.of(listKind);
                why = "ListKindConflict";
                listKind = current.kind().isEmpty() ? "" : current.listKind();
            }
            return new Names(
                    new DefinedNames(plural, singular, kind, listKind, shortNames, wanted.categories()), problem, why);
        }

        String reason() {
            return problem.isEmpty() ? "NoConflicts" : why;
        }

        String message() {
            return problem.map(name -> "\"" + name + "\" is already in use").orElse("no conflicts found");
        }

        Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            if (!accepted.categories().isEmpty()) {
                fields.put("categories", accepted.categories());
            }
            fields.put("kind", accepted.kind());
            if (!accepted.listKind().isEmpty()) {
                fields.put("listKind", accepted.listKind());
            }
            fields.put("plural", accepted.plural());
            if (!accepted.shortNames().isEmpty()) {
                fields.put("shortNames", accepted.shortNames());
            }
            if (!accepted.singular().isEmpty()) {
                fields.put("singular", accepted.singular().toLowerCase(Locale.ROOT));
            }
            return fields;
        }
    }
}
