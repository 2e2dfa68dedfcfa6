// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written can be read again, and equal things are equal texts. */
class TextsTest {
    private static final PluginName PLUGIN = new PluginName("example.com/shelf");

    @ParameterizedTest
    @ValueSource(strings = {"a", "A-1_b.c", "example.com/zone", "a.example/Zone", "0"})
    void keysOfLabels(String text) {
        assertThat(LabelSyntax.isKey(text)).isTrue();
        assertThat(LabelSyntax.isKey(text + "x".repeat(63))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/zone", "Example.com/zone", "a/b/c", "-a", "a-", "a b", "example.com/"})
    void otherTextsAreNoKeyOfALabel(String text) {
        assertThat(LabelSyntax.isKey(text)).isFalse();
    }

    @Test
    void theValueOfALabelHasAtMost63Characters() {
        assertThat(LabelSyntax.isValue("a".repeat(63))).isTrue();
        assertThat(LabelSyntax.isValue("a".repeat(64))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "Node-1_b.c"})
    void valuesOfLabels(String text) {
        assertThat(LabelSyntax.isValue(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-a", "a.", "a/b", "ä", "a\n"})
    void otherTextsAreNoValueOfALabel(String text) {
        assertThat(LabelSyntax.isValue(text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "::, ::",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "FE80::1%eth0, fe80::1%eth0",
        "::ffff:10.0.0.1, 10.0.0.1",
    })
    void equalAddressesOfIpv6AreEqualTexts(String text, String expected) {
        assertThat(AddressText.ipv6(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "1::2::3", "[::1]", "10.0.0.1", "server", "fe80::1%a/b", "::1%"})
    void otherTextsAreNoAddressOfIpv6(String text) {
        assertThat(AddressText.ipv6(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1, 10.0.0.1", "010.000.0.01, 10.0.0.1", "255.255.255.255, 255.255.255.255"})
    void equalAddressesOfIpv4AreEqualTexts(String text, String expected) {
        assertThat(AddressText.ipv4(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"256.0.0.1", "1.2.3", "1.2.3.4.5", "server", ""})
    void otherTextsAreNoAddressOfIpv4(String text) {
        assertThat(AddressText.ipv4(text)).isEmpty();
    }

    @Test
    void onlyAnAddressOfIpv6StandsInBrackets() {
        assertThat(AddressText.bracketed("::1")).isEqualTo("[::1]");
        assertThat(AddressText.bracketed("server")).isEqualTo("server");
    }

    @Test
    void flatJsonReadsWhatItWroteButForCharactersThatNeedAnEscape() {
        Map<String, String> fields = new TreeMap<>(Map.of("state", "READY", "path", "a\"b\\c\nd é"));

        String text = FlatJson.write(fields);

        assertThat(text).isEqualTo("{\"path\":\"a_b_c_d é\",\"state\":\"READY\"}\n");
        assertThat(FlatJson.read(text)).contains(Map.of("state", "READY", "path", FlatJson.safe("a\"b\\c\nd é")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"a\":\"b\"", "{\"a\":\"b\"}{\"a\":\"b\"}", "{\"a\":1}", "[]"})
    void flatJsonReadsNothingElse(String text) {
        assertThat(FlatJson.read(text)).isEmpty();
    }

    @Test
    void aHashIsThatOfTheBytes() {
        assertThat(Sha256.hex("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void theFirstWrongSettingIsNamedWithItsPluginAndValue() {
        SettingsReader.Step<Integer> step =
                (before, name, value) -> name.equals("good") ? Optional.of(before + 1) : Optional.empty();

        assertThat(SettingsReader.read(PLUGIN, Map.of("good", "x"), 1, step)).isEqualTo(Outcome.done(2));
        assertThat(SettingsReader.read(PLUGIN, Map.of("good", "x", "wrong", "y", "yet", "z"), 1, step))
                .isEqualTo(Outcome.refused(
                        Refusal.INVALID, "example.com/shelf: setting 'wrong' is unknown or its value 'y' is not one"));
        assertThat(SettingsReader.either("on", "off", "on")).contains(true);
        assertThat(SettingsReader.either("off", "off", "on")).contains(false);
        assertThat(SettingsReader.either("maybe", "off", "on")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/a, false, ",
        "'', false, is required",
        "a, true, ",
        "a, false, must be an absolute path",
        "/a/../b, false, must not contain '..'",
        "../a, true, must not contain '..'",
        "/...a, false, ",
    })
    void aPathOfASourceHasRules(String path, boolean mayBeRelative, String rule) {
        assertThat(SourceChecks.pathRule(path, mayBeRelative)).isEqualTo(Optional.ofNullable(rule));
    }

    @Test
    void permissionsAreForTheGroupIfThereIsOne() {
        assertThat(DirectoryPermissions.of(Optional.empty(), Optional.empty()).mode())
                .isEqualTo(0777);
        assertThat(DirectoryPermissions.of(Optional.empty(), Optional.of("100")).mode())
                .isEqualTo(0770);
        assertThat(DirectoryPermissions.of(Optional.of("0750"), Optional.of("100"))
                        .mode())
                .isEqualTo(0750);
        assertThat(DirectoryPermissions.isMode("0888")).isFalse();
        assertThat(DirectoryPermissions.isGroup("-1")).isFalse();
    }
}
