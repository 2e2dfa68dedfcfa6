// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.codec.KubernetesJson;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a schema says of a value, in the words of the API server; SameCustomResourcesTest compares with the real one. */
class SchemaValidationTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"type":"integer"} | "a" | x: Invalid value: "string": x in body must be of type integer: "string"
                    {"type":"integer"} | 1.5 | x: Invalid value: "number": x in body must be of type integer: "number"
                    {"type":"string"} | null | x: Invalid value: "null": x in body must be of type string: "null"
                    {"type":"string","nullable":true} | null | ``
                    {"type":"number"} | 1 | ``
                    {"type":"integer","maximum":3} | 4 | x: Invalid value: 4: x in body should be less than or equal to 3
                    {"type":"integer","maximum":3,"exclusiveMaximum":true} | 3 | x: Invalid value: 3: x in body should be less than 3
                    {"type":"integer","minimum":3} | 2 | x: Invalid value: 2: x in body should be greater than or equal to 3
                    {"type":"integer","multipleOf":5} | 7 | x: Invalid value: 7: x in body should be a multiple of 5
                    {"type":"string","enum":["a","b"]} | "c" | x: Unsupported value: "c": supported values: "a", "b"
                    {"type":"integer","enum":[1,2]} | 3 | x: Unsupported value: 3: supported values: "1", "2"
                    {"type":"string","pattern":"^a$"} | "b" | x: Invalid value: "b": x in body should match '^a$'
                    {"type":"string","minLength":2} | "b" | x: Invalid value: "b": x in body should be at least 2 chars long
                    {"type":"string","maxLength":2} | "bbb" | x: Invalid value: "bbb": x in body should be at most 2 chars long
                    {"type":"string","format":"date"} | "2026-02-30" | x: Invalid value: "2026-02-30": x in body must be of type date: "2026-02-30"
                    {"type":"array","items":{"type":"string"},"minItems":1} | [] | x: Invalid value: 0: x in body should have at least 1 items
                    {"type":"array","items":{"type":"string"}} | [1] | x[0]: Invalid value: "integer": x[0] in body must be of type string: "integer"
                    {"type":"object","required":["a"]} | {} | x.a: Required value
                    {"type":"object","maxProperties":1,"additionalProperties":{"type":"string"}} | {"a":"b","c":"d"} | x: Invalid value: 1: x in body should have at most 1 properties
                    {"x-kubernetes-int-or-string":true} | true | x: Invalid value: "boolean": x in body must be of type integer,string: "boolean"
                    {"x-kubernetes-int-or-string":true} | "a" | ``
                    {"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]} | {"a":1,"b":1} | <nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found 2 valid alternatives
                    {"type":"integer","not":{"minimum":5}} | 6 | <nil>: Invalid value: "": "x" must not validate the schema (not)
                    {"type":"integer","anyOf":[{"minimum":5},{"maximum":2}]} | 3 | <nil>: Invalid value: "": "x" must validate at least one schema (anyOf), x: Invalid value: 3: x in body should be greater than or equal to 5
                    """)
    void isTold(String schema, String value, String problems) {
        Problems found = new Problems();
        Object read = KubernetesJson.standard()
                .read("{\"v\":" + value + "}", "value")
                .at("v")
                .orElseThrow();
        SchemaValidation.judge(
                JsonSchema.of(KubernetesJson.standard().read(schema, "schema").asMap()), read, "x", found);
        assertThat(String.join(
                        ", ", found.found().stream().map(Object::toString).toList()))
                .isEqualTo(problems);
    }
}
