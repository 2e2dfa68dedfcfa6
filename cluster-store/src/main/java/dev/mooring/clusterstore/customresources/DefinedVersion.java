// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One version of a kind that a user defines.
 *
 * @param name such as {@code v1beta1}
 * @param served whether clients may speak it
 * @param storage whether it is the one that is stored
 * @param deprecationWarning what clients that speak it are warned of
 * @param schema what is said of objects
 * @param hasStatus whether the status is a sub-resource
 * @param scale where the sub-resource {@code scale} finds its numbers
 * @param columns in which objects are shown
 * @param selectableFields by which clients select, such as {@code spec.colour}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DefinedVersion(
        String name,
        boolean served,
        boolean storage,
        Optional<String> deprecationWarning,
        JsonSchema schema,
        boolean hasStatus,
        Optional<ScalePaths> scale,
        List<PrinterColumn> columns,
        List<String> selectableFields) {
    /** Copies the lists. */
    public DefinedVersion {
        columns = List.copyOf(columns);
        selectableFields = List.copyOf(selectableFields);
    }

    static DefinedVersion of(Document version) {
        Optional<Document> scale = version.object("subresources", "scale");
        Optional<String> warning = Fields.isTrue(version, "deprecated")
                ? Optional.of(Fields.text(version, "deprecationWarning"))
                : Optional.empty();
        return new DefinedVersion(
                Fields.text(version, "name"),
                Fields.isTrue(version, "served"),
                Fields.isTrue(version, "storage"),
                warning,
                version.at("schema", "openAPIV3Schema").map(JsonSchema::of).orElse(JsonSchema.ANYTHING),
                version.at("subresources", "status").isPresent(),
                scale.map(each -> new ScalePaths(
                        Fields.text(each, "specReplicasPath"),
                        Fields.text(each, "statusReplicasPath"),
                        Fields.text(each, "labelSelectorPath"))),
                Fields.objects(version, "additionalPrinterColumns").stream()
                        .map(PrinterColumn::of)
                        .toList(),
                Fields.objects(version, "selectableFields").stream()
                        .map(each -> Fields.text(each, "jsonPath").replaceFirst("^\\.", ""))
                        .toList());
    }

    /**
     * The rules in CEL ({@code x-kubernetes-validations}) that this server does not judge, each behind its field and before the reason.
     */
    public List<String> rulesNotJudged() {
        List<String> rules = new ArrayList<>();
        ObjectRules.each(schema, (field, path, index, rule) -> {
            if (!rule.whyNotJudged().isEmpty()) {
                rules.add((field.isEmpty() ? "self" : field) + ": " + rule.text() + " (" + rule.whyNotJudged() + ")");
            }
        });
        return rules;
    }

    /**
     * Where the sub-resource {@code scale} finds its numbers.
     *
     * @param specReplicas the path of how many are wanted
     * @param statusReplicas the path of how many there are
     * @param labelSelector the path of the selector of their pods, as a text; empty if there is none
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record ScalePaths(String specReplicas, String statusReplicas, String labelSelector) {}

    /**
     * A column in which objects are shown.
     *
     * @param name its head
     * @param type of the cells: string, integer, number, boolean or date
     * @param format of the cells; may be empty
     * @param description for people; may be empty
     * @param priority 0 for those that always show
     * @param jsonPath of the value in an object
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record PrinterColumn(
            String name, String type, String format, String description, long priority, String jsonPath) {
        static PrinterColumn of(Document column) {
            return new PrinterColumn(
                    Fields.text(column, "name"),
                    Fields.text(column, "type"),
                    Fields.text(column, "format"),
                    Fields.text(column, "description"),
                    Fields.integer(column, "priority").orElse(0L),
                    Fields.text(column, "jsonPath"));
        }
    }
}
