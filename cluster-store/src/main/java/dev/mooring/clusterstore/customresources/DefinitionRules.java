// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.customresources.CustomResourceDefinition.DefinedNames;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.KindRules;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.clusterstore.validation.Syntax;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** The rules of definitions, in the API server's words. Stateless. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DefinitionRules implements KindRules {
    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final Set<String> COLUMN_FORMATS =
            Set.of("int32", "int64", "float", "double", "byte", "date", "date-time", "password");
    private static final Set<String> ALLOWED_WITH_STATUS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");
    private static final String ONLY_WITH_STATUS =
            "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems"
                    + " MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are"
                    + " allowed at the root of the schema if the status subresource is enabled";
    private static final int MOST_SELECTABLE = 8;
    private static final String SPEC = "spec";

    /** Makes the rules. */
    public DefinitionRules() {}

    @Override
    public void state(Document object, Problems problems) {
        CustomResourceDefinition definition = CustomResourceDefinition.of(object);
        String wanted = definition.names().plural() + "." + definition.group();
        if (!definition.name().equals(wanted)) {
            problems.invalid("metadata.name", definition.name(), "must be spec.names.plural+\".\"+spec.group");
        }
        group(definition.group(), object, problems);
        scope(Fields.text(object, SPEC, "scope"), problems);
        versions(object, definition, problems);
        conversion(object, problems);
        if (Fields.isTrue(object, SPEC, "preserveUnknownFields")) {
            problems.invalid(
                    "spec.preserveUnknownFields",
                    true,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead");
        }
        names(object, definition.names(), problems);
    }

    private static void group(String group, Document object, Problems problems) {
        problems.given("spec.group", group);
        if (group.isEmpty()) {
            return;
        }
        Optional<String> syntax = Syntax.subdomain(group);
        problems.syntax("spec.group", group, syntax);
        if (syntax.isEmpty() && !group.contains(".")) {
            problems.invalid("spec.group", group, "should be a domain with at least one dot");
        }
        String annotation = "api-approved.kubernetes.io";
        if (DefinitionStatus.isProtected(group)) {
            String approval = Fields.annotation(object, annotation).orElse("");
            String path = "metadata.annotations[" + annotation + "]";
            if (approval.isEmpty()) {
                problems.required(
                        path,
                        "protected groups must have approval annotation \"" + annotation
                                + "\", see https://github.com/kubernetes/enhancements/pull/1111");
            } else if (!approval.startsWith("unapproved") && !approval.matches("https?://[^ ]+")) {
                problems.invalid(
                        path,
                        approval,
                        "protected groups must have approval annotation \"" + annotation
                                + "\" with either a URL or a reason starting with \"unapproved\", see"
                                + " https://github.com/kubernetes/enhancements/pull/1111");
            }
        }
    }

    private static void scope(String scope, Problems problems) {
        if (scope.isEmpty()) {
            problems.required("spec.scope", "");
        } else {
            problems.oneOf("spec.scope", scope, List.of("Cluster", "Namespaced"));
        }
    }

    // ---- versions ----

    private static void versions(Document object, CustomResourceDefinition definition, Problems problems) {
        List<Document> versions = Fields.objects(object, SPEC, "versions");
        for (int i = 0; i < versions.size(); i++) {
            head(versions.get(i), "spec.versions[" + i + "]", problems);
        }
        storedOne(definition, problems);
        // What all versions have in common is reported once, at the place where v1beta1 had it.
        boolean same = areAlike(versions, "schema");
        boolean sameColumns = areAlike(versions, "additionalPrinterColumns");
        boolean sameSubresources = areAlike(versions, "subresources");
        for (int i = 0; i < versions.size(); i++) {
            String path = "spec.versions[" + i + "]";
            DefinedVersion version = definition.versions().get(i);
            if (i == 0 || !same) {
                schema(versions.get(i), version, same ? "spec.validation" : path + ".schema", problems);
            }
            if (i == 0 || !sameColumns) {
                columns(versions.get(i), sameColumns ? "spec" : path, problems);
            }
            if (i == 0 || !sameSubresources) {
                scale(version, sameSubresources ? "spec" : path, problems);
            }
            selectable(versions.get(i), version, path, problems);
        }
    }

    private static void head(Document version, String path, Problems problems) {
        String name = Fields.text(version, "name");
        problems.syntax(path + ".name", name, Syntax.dns1035Label(name));
        if (Fields.isSet(version, "deprecationWarning") && !Fields.isTrue(version, "deprecated")) {
            problems.invalid(
                    path + ".deprecationWarning",
                    Fields.text(version, "deprecationWarning"),
                    "can only be set for deprecated versions");
        }
        if (version.at("schema", "openAPIV3Schema").isEmpty()) {
            problems.required(path + ".schema.openAPIV3Schema", "schemas are required");
        }
    }

    private static void storedOne(CustomResourceDefinition definition, Problems problems) {
        List<String> names =
                definition.versions().stream().map(DefinedVersion::name).toList();
        if (names.stream().distinct().count() < names.size()) {
            problems.invalid("spec.versions", names, "must contain unique version names");
        }
        long stored =
                definition.versions().stream().filter(DefinedVersion::storage).count();
        if (stored == 0) {
            problems.invalid("status.storedVersions", List.of(), "must have at least one stored version");
        }
        if (stored != 1) {
            problems.invalid("spec.versions", names, "must have exactly one version marked as storage version");
        }
    }

    private static boolean areAlike(List<Document> versions, String field) {
        return versions.stream().map(version -> version.at(field)).distinct().count() == 1;
    }

    private static void schema(Document version, DefinedVersion read, String path, Problems problems) {
        if (version.at("schema", "openAPIV3Schema").isEmpty()) {
            return;
        }
        String place = path + ".openAPIV3Schema";
        StructuralRules.judge(read.schema(), place, problems);
        ObjectRules.each(read.schema(), (field, at, index, rule) -> {
            String named = place + at + "[" + index + "].rule";
            if (rule.text().isBlank()) {
                problems.required(named, "rule is not specified");
            } else if (rule.isWrong()) {
                problems.invalid(named, rule.text(), "compilation failed: " + rule.whyNotJudged());
            }
        });
        if (read.hasStatus()) {
            boolean allowed = ALLOWED_WITH_STATUS.containsAll(
                    read.schema().words().asMap().keySet());
            if (!allowed) {
                problems.invalid(place, read.schema().words().asMap(), ONLY_WITH_STATUS);
            } else if (!read.schema().type().isEmpty() && !read.schema().type().equals("object")) {
                problems.invalid(
                        place + ".type",
                        read.schema().type(),
                        "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled");
            }
        }
    }

    private static void columns(Document version, String path, Problems problems) {
        List<Document> columns = Fields.objects(version, "additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            Document column = columns.get(i);
            String place = path + ".additionalPrinterColumns[" + i + "]";
            problems.given(place + ".name", Fields.text(column, "name"));
            String type = Fields.text(column, "type");
            if (type.isEmpty()) {
                problems.required(place + ".type", "must be one of " + String.join(",", COLUMN_TYPES));
            } else if (!COLUMN_TYPES.contains(type)) {
                problems.invalid(place + ".type", type, "must be one of " + String.join(",", COLUMN_TYPES));
            }
            String format = Fields.text(column, "format");
            if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
                problems.invalid(
                        place + ".format",
                        format,
                        "must be one of "
                                + String.join(
                                        ",", COLUMN_FORMATS.stream().sorted().toList()));
            }
            String jsonPath = Fields.text(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                problems.required(place + ".JSONPath", "");
            }
        }
    }

    private static void scale(DefinedVersion version, String path, Problems problems) {
        version.scale().ifPresent(scale -> {
            String place = path + ".subresources.scale";
            under(".spec", place + ".specReplicasPath", scale.specReplicas(), problems);
            under(".status", place + ".statusReplicasPath", scale.statusReplicas(), problems);
            String selector = scale.labelSelector();
            if (!selector.isEmpty() && !selector.startsWith(".status.") && !selector.startsWith(".spec.")) {
                problems.invalid(
                        place + ".labelSelectorPath", selector, "should be a json path under either .spec or .status");
            }
        });
    }

    private static void under(String root, String place, String path, Problems problems) {
        if (path.isEmpty()) {
            problems.required(place, "");
        } else if (!path.startsWith(root + ".")) {
            problems.invalid(place, path, "should be a json path under " + root);
        } else if (!path.matches("(\\.[A-Za-z0-9_-]+)+")) {
            problems.invalid(
                    place, path, "must be a simple json path that names fields only, such as " + root + ".replicas");
        }
    }

    private static void selectable(Document version, DefinedVersion read, String path, Problems problems) {
        List<Document> fields = Fields.objects(version, "selectableFields");
        if (fields.size() > MOST_SELECTABLE) {
            problems.add(new FieldError(
                    path + ".selectableFields",
                    FieldError.Problem.INVALID,
                    Integer.toString(fields.size()),
                    "must have at most " + MOST_SELECTABLE + " items"));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String place = path + ".selectableFields[" + i + "].jsonPath";
            String jsonPath = Fields.text(fields.get(i), "jsonPath");
            if (jsonPath.isEmpty()) {
                problems.required(place, "");
            } else if (!jsonPath.matches("(\\.[A-Za-z0-9_-]+)+")) {
                problems.invalid(place, jsonPath, "is an invalid path: must be a simple path of field names");
            } else if (jsonPath.startsWith(".metadata")) {
                problems.invalid(place, jsonPath, "must not point to fields in metadata");
            } else if (!isScalar(read.schema(), jsonPath)) {
                problems.invalid(
                        place, jsonPath, "must point to a field of type string, boolean or integer of the schema");
            } else if (!seen.add(jsonPath)) {
                problems.duplicate(place, jsonPath);
            }
        }
    }

    private static boolean isScalar(JsonSchema schema, String jsonPath) {
        JsonSchema at = schema;
        for (String name : jsonPath.substring(1).split("\\.", -1)) {
            JsonSchema next = at.properties().get(name);
            if (next == null) {
                return false;
            }
            at = next;
        }
        return Set.of("string", "boolean", "integer").contains(at.type());
    }

    // ---- the rest ----

    private static void conversion(Document object, Problems problems) {
        String strategy = Fields.text(object, SPEC, "conversion", "strategy");
        if (strategy.equals("Webhook")) {
            problems.invalid(
                    "spec.conversion.strategy",
                    strategy,
                    "this server calls no webhooks: versions of a kind that differ by more than their name cannot be converted."
                            + " Use the strategy None");
        } else if (!strategy.isEmpty()) {
            problems.oneOf("spec.conversion.strategy", strategy, List.of("None", "Webhook"));
        } else if (object.at(SPEC, "conversion").isPresent()) {
            problems.required("spec.conversion.strategy", "");
        }
        if (strategy.equals("None") && object.at(SPEC, "conversion", "webhook").isPresent()) {
            problems.forbidden(
                    "spec.conversion.webhookClientConfig", "should not be set when strategy is not set to Webhook");
        }
    }

    private static void names(Document object, DefinedNames names, Problems problems) {
        Document given = Fields.object(object, SPEC, "names");
        String place = "spec.names";
        required(place + ".plural", Fields.text(given, "plural"), problems);
        required(place + ".singular", names.singular(), problems);
        mixed(place + ".kind", names.kind(), problems);
        mixed(place + ".listKind", names.listKind(), problems);
        for (int i = 0; i < names.shortNames().size(); i++) {
            String name = names.shortNames().get(i);
            problems.syntax(place + ".shortNames[" + i + "]", name, Syntax.dns1035Label(name));
        }
        for (int i = 0; i < names.categories().size(); i++) {
            String name = names.categories().get(i);
            problems.syntax(place + ".categories[" + i + "]", name, Syntax.dns1035Label(name));
        }
        if (!names.kind().isEmpty() && names.kind().equals(names.listKind())) {
            problems.invalid(place + ".listKind", names.listKind(), "kind and listKind may not be the same");
        }
    }

    private static void required(String path, String name, Problems problems) {
        problems.given(path, name);
        if (!name.isEmpty()) {
            problems.syntax(path, name, Syntax.dns1035Label(name));
        }
    }

    private static void mixed(String path, String name, Problems problems) {
        problems.given(path, name);
        if (!name.isEmpty()) {
            problems.syntax(
                    path,
                    name,
                    Syntax.dns1035Label(name.toLowerCase(Locale.ROOT))
                            .map(rule -> "may have mixed case, but should otherwise match: " + rule));
        }
    }

    // ---- changes ----

    @Override
    public void change(Document before, Document after, Problems problems) {
        stored(after, problems);
        if (!DefinitionStatus.isEstablished(before)) {
            return;
        }
        for (String field : List.of("group", "scope")) {
            problems.immutable(SPEC + "." + field, before.at(SPEC, field), after.at(SPEC, field));
        }
        for (String field : List.of("plural", "kind")) {
            problems.immutable(
                    SPEC + ".names." + field, before.at(SPEC, "names", field), after.at(SPEC, "names", field));
        }
    }

    @Override
    public void statusChange(Document before, Document after, Problems problems) {
        stored(after, problems);
    }

    private static void stored(Document object, Problems problems) {
        List<String> stored = Fields.texts(object, "status", "storedVersions");
        List<String> names = new ArrayList<>();
        String storage = "";
        for (Document each : Fields.objects(object, SPEC, "versions")) {
            names.add(Fields.text(each, "name"));
            storage = Fields.isTrue(each, "storage") ? Fields.text(each, "name") : storage;
        }
        for (int i = 0; i < stored.size(); i++) {
            if (!names.contains(stored.get(i))) {
                problems.invalid("status.storedVersions[" + i + "]", stored.get(i), "must appear in spec.versions");
            }
        }
        if (!stored.contains(storage)) {
            problems.invalid("status.storedVersions", stored, "must have the storage version " + storage);
        }
    }
}
