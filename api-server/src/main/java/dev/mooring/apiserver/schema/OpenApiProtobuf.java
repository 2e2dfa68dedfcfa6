// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.schema;

import dev.mooring.storage.document.Document;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** OpenAPI version 2 as the protocol buffer {@code openapi.v2.Document} of gnostic, in which older clients want it. */
final class OpenApiProtobuf {
    private static final int SWAGGER = 1;
    private static final int INFO = 2;
    private static final int PATHS = 8;
    private static final int DEFINITIONS = 9;
    /** The fields of {@code PathItem}. */
    private static final Map<String, Integer> METHODS = Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "patch", 8);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private OpenApiProtobuf() {}

    static byte[] document(
            Map<String, Object> info, Map<String, Object> paths, Map<String, Map<String, Object>> definitions) {
        OpenApiProtobuf document = new OpenApiProtobuf();
        document.text(SWAGGER, "2.0");
        document.message(INFO, message -> {
            message.text(1, String.valueOf(info.get("title")));
            message.text(2, String.valueOf(info.get("version")));
        });
        document.message(
                PATHS,
                message -> paths.forEach((path, item) -> message.message(2, named -> {
                    named.text(1, path);
                    named.message(2, value -> value.item((Map<?, ?>) item));
                })));
        document.message(DEFINITIONS, message -> definitions.forEach((name, schema) -> message.named(1, name, schema)));
        return document.out.toByteArray();
    }

    private void item(Map<?, ?> operations) {
        METHODS.forEach((method, field) -> {
            if (operations.get(method) instanceof Map<?, ?> operation) {
                message(field, message -> message.operation(operation));
            }
        });
    }

    private void operation(Map<?, ?> operation) {
        texts(6, operation.get("produces"));
        texts(7, operation.get("consumes"));
        if (operation.get("parameters") instanceof List<?> parameters) {
            parameters.forEach(each -> message(8, item -> item.message(1, one -> one.parameter((Map<?, ?>) each))));
        }
        if (operation.get("responses") instanceof Map<?, ?> responses) {
            message(
                    9,
                    all -> responses.forEach((code, each) -> all.message(1, named -> {
                        named.text(1, (String) code);
                        named.message(2, value -> value.message(1, answer -> answer.answer((Map<?, ?>) each)));
                    })));
        }
        extensions(13, operation);
    }

    private void parameter(Map<?, ?> parameter) {
        if (parameter.get("schema") instanceof Map<?, ?> schema) {
            message(1, body -> {
                body.optional(2, parameter.get("name"));
                body.optional(3, parameter.get("in"));
                body.number(4 << 3);
                body.number(1); // it is required
                body.message(5, value -> value.schema(schema));
            });
        } else {
            message(
                    2,
                    plain -> plain.message(3, query -> {
                        query.optional(2, parameter.get("in"));
                        query.optional(4, parameter.get("name"));
                        query.optional(6, parameter.get("type"));
                    }));
        }
    }

    private void answer(Map<?, ?> answer) {
        optional(1, answer.get("description"));
        if (answer.get("schema") instanceof Map<?, ?> schema) {
            message(2, item -> item.message(1, value -> value.schema(schema)));
        }
    }

    private void texts(int field, @Nullable Object values) {
        if (values instanceof List<?> list) {
            list.forEach(each -> optional(field, each));
        }
    }

    private void named(int field, String name, Map<?, ?> schema) {
        message(field, message -> {
            message.text(1, name);
            message.message(2, value -> value.schema(schema));
        });
    }

    private void schema(Map<?, ?> schema) {
        optional(1, schema.get("$ref"));
        optional(2, schema.get("format"));
        optional(4, schema.get("description"));
        if (schema.get("additionalProperties") instanceof Map<?, ?> values) {
            message(21, item -> item.message(1, message -> message.schema(values)));
        }
        if (schema.get("type") instanceof String type) {
            message(22, item -> item.text(1, type));
        }
        if (schema.get("items") instanceof Map<?, ?> items) {
            message(23, item -> item.message(1, message -> message.schema(items)));
        }
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            message(
                    25,
                    all -> properties.forEach((name, each) -> {
                        if (each instanceof Map<?, ?> property) {
                            all.named(1, (String) name, property);
                        }
                    }));
        }
        extensions(31, schema);
    }

    private void extensions(int field, Map<?, ?> members) {
        members.forEach((key, value) -> {
            if (key instanceof String name && name.startsWith("x-")) {
                message(field, extension -> {
                    extension.text(1, name);
                    extension.message(2, any -> any.text(2, yaml(value)));
                });
            }
        });
    }

    /** JSON is YAML. */
    private static String yaml(Object value) {
        String wrapped = Document.of(Map.of(
                        "v", value instanceof List<?> || value instanceof Map<?, ?> ? value : value.toString()))
                .toString();
        return wrapped.substring(wrapped.indexOf(':') + 1, wrapped.length() - 1) + "\n";
    }

    private void optional(int field, @Nullable Object value) {
        if (value instanceof String text && !text.isEmpty()) {
            text(field, text);
        }
    }

    private void text(int field, String text) {
        bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    private void message(int field, Consumer<OpenApiProtobuf> content) {
        OpenApiProtobuf message = new OpenApiProtobuf();
        content.accept(message);
        bytes(field, message.out.toByteArray());
    }

    private void bytes(int field, byte[] bytes) {
        number(((long) field << 3) | 2);
        number(bytes.length);
        out.writeBytes(bytes);
    }

    private void number(long value) {
        long left = value;
        while (left >= 0x80) {
            out.write((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.write((int) left);
    }
}
