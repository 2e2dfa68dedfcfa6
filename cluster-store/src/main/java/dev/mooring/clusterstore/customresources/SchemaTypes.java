// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Form;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The types by which server-side apply tells who manages which field of a custom resource. Pure. */
final class SchemaTypes {
    private static final FieldType WHOLE = new Plain(Form.ANY, "interface {}");
    private static final FieldType TEXT = new Plain(Form.STRING, "string");

    private SchemaTypes() {}

    /** The type of an object with metadata. */
    static Structure object(String name, JsonSchema schema) {
        Map<String, FieldType> fields = new LinkedHashMap<>();
        fields.put("apiVersion", TEXT);
        fields.put("kind", TEXT);
        fields.put(
                "metadata", Schema.standard().type("meta", "v1", "ObjectMeta").orElseThrow());
        schema.properties().forEach((field, each) -> fields.putIfAbsent(field, type(each)));
        return Structure.asWritten(name, fields, schema.keepsUnknown());
    }

    private static FieldType type(JsonSchema schema) {
        if (schema.isEmbedded()) {
            return object("embedded", schema);
        } else if (schema.type().equals("array")) {
            return list(schema);
        }
        boolean isObject = schema.type().equals("object") || schema.keepsUnknown();
        if (!isObject || schema.text("x-kubernetes-map-type").equals("atomic")) {
            return WHOLE;
        } else if (schema.additionalProperties().isPresent()) {
            return new Mapping(type(schema.additionalProperties().get()));
        }
        Map<String, FieldType> fields = new LinkedHashMap<>();
        schema.properties().forEach((field, each) -> fields.put(field, type(each)));
        return Structure.asWritten("object", fields, schema.keepsUnknown() || schema.allowsAdditional());
    }

    private static FieldType list(JsonSchema schema) {
        FieldType element = schema.items().map(SchemaTypes::type).orElse(WHOLE);
        List<String> keys = switch (schema.listType()) {
            case "set" -> List.of("=");
            case "map" -> schema.listMapKeys();
            default -> List.of();
        };
        return new Sequence(element, "", keys);
    }
}
