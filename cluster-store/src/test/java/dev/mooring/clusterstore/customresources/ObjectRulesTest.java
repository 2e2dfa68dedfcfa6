// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.codec.KubernetesJson;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules in CEL say of objects and changes, in the words of the API server. */
class ObjectRulesTest {
    private static final String PROPERTIES =
            "\"type\":\"object\",\"properties\":{\"min\":{\"type\":\"integer\"},\"max\":{\"type\":\"integer\"},"
                    + "\"name\":{\"type\":\"string\"},\"half\":{\"type\":\"number\"},\"a-b\":{\"type\":\"string\"},\"in\":{\"type\":\"string\"},"
                    + "\"at\":{\"type\":\"string\",\"format\":\"date-time\"},\"for\":{\"type\":\"string\",\"format\":\"duration\"},"
                    + "\"list\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
                    + "\"labels\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}}";

    private static JsonSchema schema(String json) {
        return JsonSchema.of(KubernetesJson.standard()
                .read("{\"type\":\"object\",\"properties\":{\"spec\":" + json + "}}", "schema")
                .asMap());
    }

    private static String told(Problems problems) {
        return problems.found().stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private static String ofState(String schema, String spec) {
        Problems problems = new Problems();
        new ObjectRules(schema(schema))
                .state(
                        KubernetesJson.standard()
                                .read("{\"metadata\":{\"name\":\"n\",\"uid\":\"u\"},\"spec\":" + spec + "}", "object")
                                .asMap(),
                        problems);
        return told(problems);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    self.min <= self.max | {"min":1,"max":2} | ``
                    self.min <= self.max | {"min":3,"max":2} | spec: Invalid value: "object": failed rule: self.min <= self.max
                    self.min <= self.max | {"min":3} | spec: Invalid value: "object": no such key: max evaluating rule: failed rule: self.min <= self.max
                    !has(self.max) ? true : self.min <= self.max | {"min":3} | ``
                    self.name.startsWith('a') && self.name.matches('^[a-z]+$') | {"name":"abc"} | ``
                    self.name.split('.').size() == 2 | {"name":"abc"} | spec: Invalid value: "object": failed rule: self.name.split('.').size() == 2
                    self.half > 0.5 && type(self.half) == double | {"half":1} | ``
                    self.a__dash__b == 'x' && self.__in__ == 'y' | {"a-b":"x","in":"y"} | ``
                    self.at < timestamp('2026-01-01T00:00:00Z') | {"at":"2025-12-31T23:59:59Z"} | ``
                    self.__for__ >= duration('1h') | {"for":"90m"} | ``
                    self.list.all(x, x > 0) && self.list.exists_one(x, x == 2) | {"list":[1,2,3]} | ``
                    self.list.filter(x, x > 2).size() == 1 && 3 in self.list | {"list":[1,2,3]} | ``
                    'app' in self.labels && self.labels['app'] == 'x' | {"labels":{"app":"x"}} | ``
                    self.min / 0 == 1 | {"min":1} | spec: Invalid value: "object": divide by zero evaluating rule: failed rule: self.min / 0 == 1
                    """)
    void aStateIsJudged(String rule, String spec, String problems) {
        assertThat(ofState("{" + PROPERTIES + ",\"x-kubernetes-validations\":[{\"rule\":\"" + rule + "\"}]}", spec))
                .isEqualTo(problems);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "message":" too many " | spec: Invalid value: "object": too many
                    "messageExpression":"'at most ' + string(self.max)","message":"m" | spec: Invalid value: "object": at most 2
                    "messageExpression":"self.none","message":"m" | spec: Invalid value: "object": m
                    "reason":"FieldValueForbidden","message":"m" | spec: Forbidden: m
                    "reason":"FieldValueRequired","message":"m","fieldPath":".min" | spec.min: Required value: m
                    "reason":"FieldValueDuplicate","fieldPath":"['a-b']" | spec[a-b]: Duplicate value: "object"
                    """)
    void aBrokenRuleIsToldAsItIsWritten(String words, String problem) {
        String rule = "{\"rule\":\"self.min <= self.max\"," + words + "}";
        assertThat(ofState("{" + PROPERTIES + ",\"x-kubernetes-validations\":[" + rule + "]}", "{\"min\":3,\"max\":2}"))
                .isEqualTo(problem);
    }

    @Test
    void aRuleSpeaksOfEachElementAndTheObjectOfItsName() {
        assertThat(ofState(
                        "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"x-kubernetes-validations\":[{\"rule\":\"self != 2\"}]}}",
                        "[1,2,3,2]"))
                .isEqualTo("spec[1]: Invalid value: \"integer\": failed rule: self != 2,"
                        + " spec[3]: Invalid value: \"integer\": failed rule: self != 2");
        Problems problems = new Problems();
        new ObjectRules(JsonSchema.of(KubernetesJson.standard()
                        .read(
                                "{\"type\":\"object\",\"x-kubernetes-validations\":[{\"rule\":\"self.metadata.name == 'm' || has(self.metadata.uid)\"}]}",
                                "schema")
                        .asMap()))
                .state(
                        KubernetesJson.standard()
                                .read("{\"metadata\":{\"name\":\"n\",\"uid\":\"u\"}}", "object")
                                .asMap(),
                        problems);
        assertThat(told(problems)).startsWith("<nil>: Invalid value: \"object\": failed rule: self.metadata.name");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"immutable"}]} | "a" | "a" | ``
                    {"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"immutable"}]} | "a" | "b" | spec: Invalid value: "string": immutable
                    {"type":"object","properties":{"x":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}} | {} | {"x":"new"} | ``
                    {"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string"},"v":{"type":"integer","x-kubernetes-validations":[{"rule":"self >= oldSelf"}]}}}} | [{"k":"a","v":2},{"k":"b","v":5}] | [{"k":"b","v":4},{"k":"a","v":2},{"k":"c","v":1}] | spec[0].v: Invalid value: "integer": failed rule: self >= oldSelf
                    {"type":"array","items":{"type":"integer","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}} | [1] | [2] | ``
                    {"type":"string","x-kubernetes-validations":[{"rule":"self == 'oldSelf'"}]} | "a" | "b" | ``
                    """)
    void aChangeIsJudgedByRulesThatLookBack(String schema, String before, String after, String problem) {
        Problems problems = new Problems();
        new ObjectRules(schema(schema))
                .change(
                        KubernetesJson.standard()
                                .read("{\"spec\":" + before + "}", "before")
                                .asMap(),
                        KubernetesJson.standard()
                                .read("{\"spec\":" + after + "}", "after")
                                .asMap(),
                        problems);
        assertThat(told(problems)).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    self.?max.orValue(1) == 1 | optional values are not known here | false
                    quantity(self.name).isGreaterThan(quantity('1')) | undeclared reference to 'quantity' (in container '') | false
                    self.list.isSorted() | undeclared reference to 'isSorted' (in container '') | false
                    self.min <= | Syntax error | true
                    self.min == 1 | `` | false
                    """)
    void whatIsNotJudgedHasAReason(String rule, String why, boolean wrong) {
        List<String> seen = new ArrayList<>();
        ObjectRules.each(
                schema("{" + PROPERTIES + ",\"x-kubernetes-validations\":[{\"rule\":\"true\"},{\"rule\":\"" + rule
                        + "\"}]}"),
                (field, path, index, each) -> {
                    if (index == 1) {
                        seen.add(field + " " + path);
                        assertThat(each.whyNotJudged()).startsWith(why);
                        assertThat(each.whyNotJudged().isEmpty()).isEqualTo(why.isEmpty());
                        assertThat(each.isWrong()).isEqualTo(wrong);
                    }
                });
        assertThat(seen).containsExactly("spec .properties[spec].x-kubernetes-validations");
    }
}
