// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final KubernetesYaml YAML = KubernetesYaml.standard();

    @Test
    void jsonNumbersAreExact() {
        Document document =
                JSON.read("{\"a\":9007199254740993,\"b\":0.1,\"c\":123456789012345678901,\"d\":1e400}", "t");
        assertThat(document.asMap()).containsEntry("a", 9007199254740993L).containsEntry("b", new BigDecimal("0.1"));
        assertThat(JSON.read(JSON.write(document), "t")).isEqualTo(document);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1,\"a\":2}|twice",
                "[1]|object",
                "{\"a\":}|JSON",
                "{} {}|end",
                "{\"a\":NaN}|JSON",
                "{'a':1}|JSON"
            })
    void jsonErrorsHaveAPlaceAndARule(String text, String rule) {
        CodecException e = catchThrowableOfType(CodecException.class, () -> JSON.read(text, "f.json"));
        assertThat(e).hasMessageContaining(rule).hasMessageStartingWith("f.json:1:");
        assertThat(e.line()).isEqualTo(1);
        assertThat(e.column()).isPositive();
    }

    @Test
    void whatIsNotSelectedIsPassedOver() {
        byte[] text = "{\"a\":{\"b\":[{\"c\":\"x\",\"d\":[{}]}],\"e\":1},\"f\":{\"f\":{}}}".getBytes(UTF_8);
        assertThat(JSON.read(text, "t", FieldSelection.of("a.b.c")))
                .isEqualTo(JSON.read("{\"a\":{\"b\":[{\"c\":\"x\"}]}}", "t"));
        assertThat(JSON.read(text, "t", FieldSelection.of("f")).asMap()).containsOnlyKeys("f");
        assertThat(JSON.read(text, "t", FieldSelection.ALL)).isEqualTo(JSON.read(text, "t"));
        byte[] broken = "{\"a\":{\"b\":[1,}}".getBytes(UTF_8);
        assertThatThrownBy(() -> JSON.read(broken, "t", FieldSelection.of("c"))).isInstanceOf(CodecException.class);
    }

    @Test
    void equalTextsOfSelectedFieldsAreOne() {
        byte[] text = "{\"namespace\":\"team-1\"}".getBytes(UTF_8);
        Object first = JSON.read(text, "t", FieldSelection.ALL).asMap().get("namespace");
        assertThat(JSON.read(text, "t", FieldSelection.ALL).asMap().get("namespace"))
                .isSameAs(first);
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstKey() {
        assertThat(YAML.read("\uFEFFa: 1\n", "t").asMap()).containsOnlyKeys("a");
    }

    @Test
    void nestingIsBounded() {
        String deep = "{\"a\":" + "[".repeat(200) + "]".repeat(200) + "}";
        assertThatThrownBy(() -> JSON.read(deep, "t"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("100 levels");
        assertThatThrownBy(() -> YAML.read(deep, "t"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("100 levels");
    }

    @Test
    void sizeIsBounded() {
        CodecLimits small = new CodecLimits(10, 100, 10);
        assertThatThrownBy(() -> KubernetesJson.withLimits(small).read("{\"a\":\"12345678\"}", "t"))
                .hasMessageContaining("10 bytes");
        assertThatThrownBy(() -> KubernetesYaml.withLimits(small).read("a: 123456789", "t"))
                .hasMessageContaining("10 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "yes|\"yes\"",
                "no|\"no\"",
                "on|\"on\"",
                "off|\"off\"",
                "true|true",
                "null|null",
                "~|null",
                "1|1",
                "0x10|16",
                "0o17|15",
                "1.5|1.5",
                "1e3|1000",
                "'1'|\"1\"",
                "5Gi|\"5Gi\"",
                "!!str 1|\"1\"",
                "2026-01-02|\"2026-01-02\"",
                "12:30|\"12:30\""
            })
    void yamlScalarsFollowTheCoreSchema(String yaml, String json) {
        assertThat(JSON.write(YAML.read("a: " + yaml, "t"))).isEqualTo("{\"a\":" + json + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a: 1\na: 2", "a: .inf", "a: .nan", "- 1", "a: [", "? [x]\n: 1", "a: !x 1", "a: *b", "a: &b [*b]"
            })
    void yamlRefuses(String text) {
        assertThatThrownBy(() -> YAML.read(text, "f.yaml"))
                .isInstanceOf(CodecException.class)
                .hasMessageStartingWith("f.yaml:");
    }

    @Test
    void yamlErrorsHaveAPlace() {
        CodecException e = catchThrowableOfType(CodecException.class, () -> YAML.read("a: 1\nb: 2\na: 3\n", "f.yaml"));
        assertThat(e.line()).isEqualTo(3);
        assertThat(e.column()).isEqualTo(1);
    }

    @Test
    void mapsAreMergedAsByKubectl() {
        String text = """
                base: &base {a: 1, b: 1, c: 1}
                more: &more {c: 2, d: 2}
                one: {b: 0, <<: *base}
                two: {<<: [*more, *base], a: 0}
                quoted: {'<<': {a: 1}}
                """;
        Document document = YAML.read(text, "t");
        assertThat(document.at("one")).contains(Map.of("a", 1L, "b", 0L, "c", 1L));
        assertThat(document.at("two")).contains(Map.of("a", 0L, "b", 1L, "c", 2L, "d", 2L));
        assertThat(document.at("quoted", "<<")).contains(Map.of("a", 1L));
        assertThatThrownBy(() -> YAML.read("a: {<<: 1}", "t")).hasMessageContaining("must merge a map");
        assertThatThrownBy(() -> YAML.read("a: {<<: {}, <<: {}}", "t")).hasMessageContaining("twice");
    }

    @Test
    void aliasesAreBounded() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String alias = "*a" + (i - 1);
            bomb.append("a" + i + ": &a" + i + " [" + String.join(", ", List.of(alias, alias, alias, alias, alias))
                    + "]\n");
        }
        assertThatThrownBy(() -> YAML.read(bomb.toString(), "t")).hasMessageContaining("aliases");
        assertThat(JSON.write(YAML.read("a: &x {k: 1}\nb: *x", "t"))).isEqualTo("{\"a\":{\"k\":1},\"b\":{\"k\":1}}");
    }

    @Test
    void anchorsAreBounded() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            text.append("k").append(i).append(": &a").append(i).append(" v\n");
        }
        assertThat(YAML.read(text.toString(), "t").asMap()).hasSize(1000);
        assertThatThrownBy(() -> YAML.read(text + "last: &last v\n", "t"))
                .hasMessageContaining("must not have more than 1000 anchors")
                .hasMessageContaining("1001");
    }

    @Test
    void aliasesOfLongTextsAreBounded() {
        String text = "x".repeat(1 << 20);
        String aliases = String.join(", ", Collections.nCopies(9_000, "*a"));
        assertThatThrownBy(() -> YAML.read("a: &a " + text + "\nb: [" + aliases + "]", "t"))
                .hasMessageContaining("aliases");
        assertThatThrownBy(() -> YAML.read("a: &a {? " + "k".repeat(40_000) + " : 1}\nb: [" + aliases + "]", "t"))
                .hasMessageContaining("aliases");
        assertThat(YAML.read("a: &a " + "x".repeat(300_000) + "\nb: [*a, *a]", "t")
                        .at("b"))
                .contains(List.of("x".repeat(300_000), "x".repeat(300_000)));
    }

    @Test
    void manyDocumentsAndLists() {
        List<Document> documents = YAML.readAll(
                "a: 1\n---\n---\nkind: List\nitems:\n- kind: Pod\n---\nkind: PodList\napiVersion: v1\nitems:\n- metadata: {name: p}\n",
                "t");
        assertThat(documents).hasSize(3);
        List<Document> objects = KubernetesLists.expand(documents, "t");
        assertThat(objects).hasSize(3);
        assertThat(objects.get(2).text("kind")).contains("Pod");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "",
                " ",
                "yes",
                "No",
                "on",
                "off",
                "y",
                "n",
                "true",
                "NULL",
                "~",
                "1",
                "1.5",
                "0x10",
                "1e3",
                "12e",
                "1_000",
                "5Gi",
                "100m",
                ".5",
                "-",
                "- a",
                "a: b",
                "a #b",
                "#a",
                "a:",
                "172.16.51.58.1",
                "/var/x",
                "*a",
                "&a",
                "!a",
                "%a",
                "@a",
                "`a",
                "a\nb",
                "a\tb",
                "quote\"s",
                "back\\slash",
                "é",
                "😀",
                "{a",
                "[a",
                "a,b",
                ">",
                "|",
                "?",
                "=",
                "<<",
                "2026-01-02",
                "12:30:45",
                "1:20",
                "\u0085",
                "\u2028",
                "\ufeff",
                "a  b",
                "trailing ",
                ".inf",
                "0o7",
                "pvc-0a1b",
                "123e4567",
                "storage.k8s.io/v1"
            })
    void stringsComeBackFromYamlAsTheyWere(String text) {
        Document document =
                Document.of(Map.of("a", text, "l", List.of(text, Map.of("k", text)), "m", Map.of("t" + text, 1)));
        assertThat(YAML.read(YAML.write(document), "t")).isEqualTo(document);
        assertThat(JSON.read(JSON.write(document), "t")).isEqualTo(document);
        assertThat(JSON.read(JSON.writeIndented(document), "t")).isEqualTo(document);
    }

    @Test
    void yamlLooksLikeKubectl() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("capacity", Map.of("storage", "5Gi"));
        spec.put("accessModes", List.of("ReadWriteOnce"));
        spec.put("terms", List.of(Map.of("key", "zone", "values", List.of("a", "yes"))));
        spec.put("empty", Map.of());
        String text = YAML.write(Document.of(Map.of("spec", spec)));
        assertThat(text)
                .contains("spec:\n  capacity:\n    storage: 5Gi\n  accessModes:\n  - ReadWriteOnce\n  terms:\n  - ");
        assertThat(text).contains("- \"yes\"\n").endsWith("  empty: {}\n");
        assertThat(YAML.readAll(YAML.writeAll(List.of(YAML.read(text, "t"), YAML.read(text, "t"))), "t"))
                .hasSize(2);
    }

    @Test
    void oneLineIsWhatTheLibraryWrites() throws IOException {
        Random random = new Random(7);
        String odd = "\"\\\b\t\n\f\r\0\u001f\u007f/\u00e9\u2028\ud83d\ude00\ud800";
        for (int run = 0; run < 2_000; run++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(5); i > 0; i--) {
                text.append(random.nextBoolean() ? 'a' : odd.charAt(random.nextInt(odd.length())));
            }
            StringWriter written = new StringWriter();
            try (JsonGenerator library = new JsonFactory().createGenerator(written)) {
                library.writeStartObject();
                library.writeStringField(text.toString(), text.toString());
                library.writeEndObject();
            }
            assertThat(JSON.write(Document.of(Map.of(text.toString(), text.toString()))))
                    .isEqualTo(written.toString());
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("none", List.of(Map.of(), List.of(), JsonNull.NULL, true, false, Long.MIN_VALUE));
        fields.put("number", new BigDecimal("-1.50e400"));
        assertThat(JSON.write(Document.of(fields)))
                .isEqualTo("{\"none\":[{},[],null,true,false,-9223372036854775808],\"number\":-1.50E+400}");
        assertThat(JSON.write(Document.empty())).isEqualTo("{}");
    }

    @Test
    void aKeyWithoutCharactersIsAKey() {
        for (KubernetesJson json : List.of(JSON, KubernetesJson.withoutManagedFields())) {
            String text = "{\"\":[1],\"a\":{\"\":[]}}";
            assertThat(json.write(json.read(text, "a test"))).isEqualTo(text);
        }
    }

    @Test
    void whatOurOwnCodecWritesItReads() {
        KubernetesJson own = KubernetesJson.ofOwnTexts(new CodecLimits(1 << 20, 220, 0));
        Document document = Document.of(Map.of(
                "k".repeat(60_000),
                List.of(
                        new BigDecimal("9".repeat(997) + "e9"),
                        new BigDecimal(new BigInteger("f".repeat(2_000), 16)),
                        new BigDecimal("12e2147483647"),
                        new BigDecimal("1.5e-2147483646"))));
        assertThat(own.read(own.write(document), "t")).isEqualTo(document);
    }

    @Test
    void numbersAreMeasuredAsTheyAreWritten() {
        for (String number : List.of("9".repeat(997) + "e9", "12e2147483647")) {
            assertThatThrownBy(() -> JSON.read("{\"a\":" + number + "}", "t")).isInstanceOf(CodecException.class);
            assertThatThrownBy(() -> YAML.read("a: " + number, "t")).isInstanceOf(CodecException.class);
        }
        assertThatThrownBy(() -> YAML.read("a: 0x" + "f".repeat(990), "t")).isInstanceOf(CodecException.class);
        Document most = YAML.read("a: " + "9".repeat(1_000), "t");
        assertThat(JSON.read(JSON.write(most), "t")).isEqualTo(most);
    }

    @Test
    void keysAreAsLongInYamlAsInJson() {
        assertThatThrownBy(() -> YAML.read("{\"" + "k".repeat(50_001) + "\": 1}", "t"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("50000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0x", "0o", "0.", "-"})
    void numbersOfMoreThanAThousandDigitsAreRefusedInBothForms(String beginning) {
        String number = beginning + "1".repeat(1_001);
        assertThatThrownBy(() -> YAML.read("a: " + number, "t"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("1000");
        assertThatThrownBy(() -> JSON.read("{\"a\":" + number + "}", "t")).isInstanceOf(CodecException.class);
        assertThat(YAML.read("a: \"" + number + "\"", "t").text("a")).contains(number);
    }

    /** Each takes much more work to begin than it has characters. */
    @Test
    void whereOneDocumentIsWantedManyEmptyOnesAreNotReadToTheEnd() {
        assertThat(YAML.read("---\n---\na: b\n---\n", "t").text("a")).contains("b");
        assertThatThrownBy(() -> YAML.read("---\n".repeat(200_000), "t"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("must not hold more than 100 documents");
        assertThat(YAML.readAll("---\n".repeat(200), "t")).isEmpty();
    }

    @Test
    void aRepeatedKeyIsNamedByItsPathHoweverDeepItStands() {
        List<String> repeated = new ArrayList<>();
        KubernetesJson.standard().readLastOfRepeated("{\"a\":[1,{\"b\":1,\"b\":2}],\"a\":3}", "t", repeated::add);
        assertThat(repeated).containsExactly("a[1].b", "a");
    }

    @Test
    void wholeNumbersOfEveryLengthAreWhatTheyWere() {
        for (String number : List.of(
                "0",
                "-0",
                "7",
                "-99999999999999999",
                "999999999999999999",
                "9223372036854775807",
                "9223372036854775808",
                "123456789012345678901234567890")) {
            Document read = KubernetesJson.standard().read("{\"a\":" + number + "}", "t");
            assertThat(read).isEqualTo(Document.of(Map.of("a", new BigDecimal(number))));
        }
    }
}
