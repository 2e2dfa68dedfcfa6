// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What a field of an object may hold. Immutable once a {@link Schema} has been read. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface FieldType {
    /** The type as the API server's messages name it, such as {@code []v1.KeyToPath}. */
    String goName();

    /** Values that are read as one. */
    enum Form {
        /** A string. */
        STRING("string"),
        /** True or false. */
        BOOLEAN("bool"),
        /** An integer of 32 bits. */
        INT32("int32"),
        /** An integer of 64 bits. */
        INT64("int64"),
        /** Bytes in base64. */
        BYTE("[]uint8"),
        /** A time, to the second. */
        TIME("string"),
        /** A time, with six digits behind the second. */
        MICRO_TIME("string"),
        /** An amount: a string or a number. */
        QUANTITY("resource.Quantity"),
        /** An integer of 32 bits or a string. */
        INT_OR_STRING("int32"),
        /** Anything; clients take it for an object. */
        ANY("interface {}"),
        /** Anything. */
        JSON("interface {}");

        private final String goName;

        Form(String goName) {
            this.goName = goName;
        }
    }

    /**
     * A value that is read as one.
     *
     * @param form never null
     * @param goName as messages name it; never null
     */
    record Plain(Form form, String goName) implements FieldType {
        Plain(Form form) {
            this(form, form.goName);
        }
    }

    /**
     * A list.
     *
     * @param element the type of its elements; never null
     * @param mergeKey the field by which a strategic merge patch tells elements apart; {@code =} if it merges values; empty if it replaces the
     *     list; never null
     * @param listKeys the fields by which server-side apply tells elements apart ({@code x-kubernetes-list-map-keys}); {@code =} alone if the
     *     list is a set of values; empty if it has one owner as a whole; never null
     */
    record Sequence(FieldType element, String mergeKey, List<String> listKeys) implements FieldType {
        /** Copies the list. */
        public Sequence {
            listKeys = List.copyOf(listKeys);
        }

        /** Whether its elements are values that stand once each. */
        public boolean isSet() {
            return listKeys.equals(List.of("="));
        }

        @Override
        public String goName() {
            return "[]" + element.goName();
        }
    }

    /**
     * An object whose keys are not known beforehand.
     *
     * @param values the type of its values; never null
     */
    record Mapping(FieldType values) implements FieldType {
        @Override
        public String goName() {
            boolean amounts = values instanceof Plain plain && plain.form() == Form.QUANTITY;
            return amounts ? "v1.ResourceList" : "map[string]" + values.goName();
        }
    }

    /** An object with known fields. Compared by identity. */
    final class Structure implements FieldType {
        private final String name;
        private final Map<String, FieldType> fields = new LinkedHashMap<>();
        private final Map<String, FieldType> shownFields = Collections.unmodifiableMap(fields);
        private final Set<String> required = new LinkedHashSet<>();
        private final Set<String> shownRequired = Collections.unmodifiableSet(required);
        private final Set<String> granular = new HashSet<>(0);
        private boolean atomic;
        private boolean asWritten;
        private @Nullable FieldType others;

        Structure(String name) {
            this.name = name;
        }

        /**
         * The type of objects that a user defines: they are as they are written, while Kubernetes' own types write some fields that are not set,
         * and leave out empty ones.
         *
         * @param name in messages
         * @param fields the fields by name
         * @param keepsOthers whether other fields may be there; what is in them may have managers of its own
         */
        public static Structure asWritten(String name, Map<String, FieldType> fields, boolean keepsOthers) {
            Structure structure = new Structure(name);
            structure.fields.putAll(fields);
            structure.asWritten = true;
            structure.others = keepsOthers ? Anything.TYPE : null;
            return structure;
        }

        /** What is said of values of which nothing is known. */
        private static final class Anything {
            static final Structure TYPE = new Structure("any");

            static {
                TYPE.asWritten = true;
                TYPE.others = TYPE;
            }
        }

        /** Whether objects are as they are written. */
        public boolean isAsWritten() {
            return asWritten;
        }

        /** The name with its group and version, such as {@code core.v1.PodSpec}. */
        public String name() {
            return name;
        }

        /** The name alone, such as {@code PodSpec}. */
        public String simpleName() {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        @Override
        public String goName() {
            return name.substring(name.indexOf('.') + 1);
        }

        /** The fields by name; unmodifiable. */
        public Map<String, FieldType> fields() {
            return shownFields;
        }

        /** The fields that OpenAPI calls required: an API server shows them even when they hold nothing; unmodifiable. */
        public Set<String> required() {
            return shownRequired;
        }

        @Nullable
        FieldType field(String field) {
            FieldType known = fields.get(field);
            return known == null ? others : known;
        }

        /** The type of a field, known or not; empty if it may not be there. */
        public Optional<FieldType> typeOf(String field) {
            return Optional.ofNullable(field(field));
        }

        /**
         * Whether the value of a field has one owner as a whole ({@code x-kubernetes-map-type: atomic}), though it has fields.
         *
         * @param field never null
         */
        public boolean isAtomic(String field) {
            return fields.get(field) instanceof Structure structure && structure.atomic && !granular.contains(field);
        }

        /** Whether each value of this type has one owner as a whole, unless the field that holds it says otherwise. */
        public boolean isAtomic() {
            return atomic;
        }

        void makeAtomic() {
            atomic = true;
        }

        void makeGranular(String field) {
            granular.add(field);
        }

        void add(String field, FieldType type, boolean isRequired) {
            fields.put(field, type);
            if (isRequired) {
                required.add(field);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
