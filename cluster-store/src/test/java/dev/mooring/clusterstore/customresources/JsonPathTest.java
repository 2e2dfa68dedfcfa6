// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of columns. */
class JsonPathTest {
    private static final Document OBJECT = KubernetesJson.standard().read("""
                    {"metadata":{"labels":{"a.b/c":"x"}},"spec":{"hosts":["h0","h1","h2"],"rules":[{"host":"r0"},{"host":"r1"}]},
                     "status":{"conditions":[{"type":"Ready","status":"True"},{"type":"Other","status":"False","ready":1}],"map":{"k":{"n":1}}}}""", "the object");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    .spec.hosts[0] | [h0]
                    .spec.hosts[-1] | [h2]
                    .spec.hosts[7] | []
                    {.spec.hosts[1]} | [h1]
                    .spec.rules[*].host | [r0, r1]
                    .metadata.labels['a.b/c'] | [x]
                    .metadata.labels.a\\.b/c | [x]
                    .status.conditions[?(@.type=="Ready")].status | [True]
                    .status.conditions[?(@.type=='Ready')].status | [True]
                    .status.conditions[?(@.type!='Ready')].status | [False]
                    .status.conditions[?(@.ready)].type | [Other]
                    .status.conditions[?(@.type=="None")].status | []
                    .status.map.*.n | [1]
                    .spec.nothing.at.all | []
                    """)
    void findsWhatIsThere(String path, String found) {
        assertThat(JsonPath.parse(path).orElseThrow().in(OBJECT)).hasToString(found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "spec", ".spec[", "..spec", ".spec[?(@.a<1)]"})
    void whatIsNotKnownIsNoPath(String path) {
        assertThat(JsonPath.parse(path)).isEmpty();
    }

    @Test
    void aStructureIsShownAsJson() {
        assertThat(JsonPath.shown(OBJECT.at("status", "map").orElseThrow())).isEqualTo("{\"k\":{\"n\":1}}");
    }
}
