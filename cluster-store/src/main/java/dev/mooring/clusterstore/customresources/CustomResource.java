// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.FieldError.Problem;
import dev.mooring.clusterstore.validation.KindRules;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * One version of a kind that a user has defined, as it is served: what its schema makes of objects. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CustomResource {
    private final Kind<?> kind;
    private final Kind<?> stored;
    private final CustomResourceDefinition definition;
    private final DefinedVersion version;
    private final Structure type;
    private final Structure head;
    private final ObjectRules written;

    CustomResource(Kind<?> kind, Kind<?> stored, CustomResourceDefinition definition, DefinedVersion version) {
        this.kind = kind;
        this.stored = stored;
        this.definition = definition;
        this.version = version;
        this.written = new ObjectRules(version.schema());
        this.type = SchemaTypes.object(kind.name(), version.schema());
        Map<String, FieldType> fields = new LinkedHashMap<>();
        fields.put("metadata", SchemaDecoding.METADATA);
        this.head = Structure.asWritten(kind.group() + "." + kind.version() + "." + kind.name(), fields, false);
    }

    /** The kind in this version. */
    public Kind<?> kind() {
        return kind;
    }

    /** The kind as it is stored, the same in all versions. */
    public Kind<?> stored() {
        return stored;
    }

    /** What the user has defined; its names are those that are accepted. */
    public CustomResourceDefinition definition() {
        return definition;
    }

    /** This version. */
    public DefinedVersion version() {
        return version;
    }

    /** The fields by which server-side apply tells who manages what. */
    public Structure type() {
        return type;
    }

    /** Reads an object: without what the schema does not know, and with its defaults. */
    public Decoded decode(Document object) {
        SchemaDecoding decoding = new SchemaDecoding();
        Map<String, Object> read = decoding.object(version.schema(), object.asMap());
        List<String> unknown = new ArrayList<>();
        Decoded metadata = Schema.standard().decode(head, Document.of(metadataOf(read)));
        metadata.object().at("metadata").ifPresent(known -> read.put("metadata", known));
        unknown.addAll(Schema.standard()
                .decode(head, Document.of(metadataOf(object.asMap())))
                .unknown());
        unknown.addAll(decoding.unknown());
        Document document = Document.of(read);
        return new Decoded(document, metadata.wrong(), unknown);
    }

    private static Map<String, Object> metadataOf(Map<String, Object> object) {
        Object metadata = object.get("metadata");
        return metadata == null ? Map.of() : Map.of("metadata", metadata);
    }

    /** The rules of objects: those of the schema. */
    public KindRules rules() {
        return new KindRules() {
            @Override
            public void state(Document object, Problems problems) {
                judge(object, problems);
            }

            @Override
            public void change(Document before, Document after, Problems problems) {
                written.change(before.asMap(), after.asMap(), problems);
            }

            @Override
            public void statusChange(Document before, Document after, Problems problems) {
                judge(after, problems);
                written.change(before.asMap(), after.asMap(), problems);
            }
        };
    }

    private void judge(Document object, Problems problems) {
        Map<String, Object> own = new LinkedHashMap<>(object.asMap());
        if (!version.schema().properties().containsKey("metadata")) {
            own.remove("metadata");
        }
        SchemaValidation.judge(version.schema(), own, "", problems);
        ListTypes.judge(version.schema(), object.asMap(), "", problems);
        version.scale().ifPresent(scale -> {
            ScaledNumbers.judge(scale.specReplicas(), object, problems);
            ScaledNumbers.judge(scale.statusReplicas(), object, problems);
        });
        EmbeddedResources.judge(version.schema(), object.asMap(), "", problems);
        if (problems.found().isEmpty()) {
            written.state(object.asMap(), problems);
        } else if (!written.isEmpty()) {
            problems.add(new FieldError(
                    "<nil>",
                    Problem.INVALID,
                    "\"null\"",
                    "some validation rules were not checked because the object was invalid; correct the existing errors to"
                            + " complete validation"));
        }
    }

    @Override
    public String toString() {
        return kind.plural() + "." + kind.version() + "." + kind.group();
    }
}
