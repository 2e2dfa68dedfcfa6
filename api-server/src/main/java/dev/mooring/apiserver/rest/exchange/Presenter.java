// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.rest.exchange.Representation.Form;
import dev.mooring.apiserver.schema.RequiredFields;
import dev.mooring.apiserver.table.CustomTables;
import dev.mooring.apiserver.table.Table;
import dev.mooring.apiserver.table.Tables;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.ObjectList;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Shows objects of one kind as one client wants them. */
public final class Presenter {
    private static final Set<String> INCLUDES = Set.of("", "None", "Metadata", "Object");
    private static final String META = "meta.k8s.io/";

    private final Resource resource;
    private final Kind<?> kind;
    private final Representation representation;
    private final String include;
    private final InstantSource clock;

    public Presenter(Resource resource, ApiRequest request, InstantSource clock) {
        this.resource = resource;
        this.kind = resource.kind();
        this.representation = Representation.of(
                request.accept(), resource.custom().isEmpty() && ProtobufObjects.isKnown(resource.kind()));
        this.include = request.parameter("includeObject");
        if (representation.form() == Form.TABLE && !INCLUDES.contains(include)) {
            throw RestFailure.badRequest("unrecognized includeObject value: \"" + include + "\"");
        }
        this.clock = clock;
    }

    public Document one(Document object) {
        return switch (representation.form()) {
            case OBJECT -> RequiredFields.shown(kind, object);
            case METADATA -> metadata(object);
            case TABLE ->
                table(
                        List.of(object),
                        listMeta(object.text("metadata", "resourceVersion").orElse(""), ""),
                        true);
        };
    }

    /** How it is shown. */
    public Representation representation() {
        return representation;
    }

    /** Whether objects are shown whole. */
    public boolean isWhole() {
        return representation.form() == Form.OBJECT;
    }

    /** An object in a watch: only the first row of a stream has the columns with it. */
    public Document event(Document object, boolean first) {
        return representation.form() == Form.TABLE
                ? table(
                        List.of(object),
                        listMeta(object.text("metadata", "resourceVersion").orElse(""), ""),
                        first)
                : one(object);
    }

    public Document list(ObjectList<Document> list) {
        Map<String, Object> meta = listMeta(list.revision().toString(), list.continueToken());
        if (representation.form() == Form.TABLE) {
            return table(list.items(), meta, true);
        }
        boolean whole = isWhole();
        List<Object> items = new ArrayList<>();
        list.items().forEach(each -> items.add(one(each)));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", whole ? resource.listKind() : "PartialObjectMetadataList");
        fields.put("apiVersion", whole ? kind.apiVersion() : META + representation.version());
        fields.put("metadata", meta);
        fields.put("items", items);
        return Document.of(fields);
    }

    private static Map<String, Object> listMeta(String revision, String token) {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put("resourceVersion", revision);
        if (!token.isEmpty()) {
            meta.put("continue", token);
        }
        return meta;
    }

    private Document metadata(Document object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "PartialObjectMetadata");
        fields.put("apiVersion", META + representation.version());
        fields.put("metadata", object.object("metadata").orElse(Document.empty()));
        return Document.of(fields);
    }

    private Document table(List<Document> objects, Map<String, Object> meta, boolean columns) {
        Table table = resource.custom().map(CustomTables::of).orElseGet(() -> Tables.of(kind));
        List<Object> rows = new ArrayList<>();
        for (Document object : objects) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("cells", table.cells(object, clock.instant()));
            switch (include) {
                case "None" -> row.put("object", JsonNull.NULL);
                case "Object" -> row.put("object", RequiredFields.shown(kind, object));
                default -> row.put("object", metadata(object));
            }
            rows.add(row);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "Table");
        fields.put("apiVersion", META + representation.version());
        fields.put("metadata", meta);
        fields.put("columnDefinitions", columns ? table.definitions() : List.of());
        fields.put("rows", rows);
        return Document.of(fields);
    }
}
