// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.rest.exchange.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthChecksTest {
    private static String ask(String path, String query, String sickness) {
        Answer answer = HealthChecks.answer(
                        "GET", path, query, () -> Optional.of(sickness).filter(text -> !text.isEmpty()))
                .orElseThrow();
        return answer.status() + " " + StandardCharsets.UTF_8.decode(answer.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/livez | | | 200 ok",
                "/readyz | | | 200 ok",
                "/healthz | | | 200 ok",
                "/livez/ping | | | 200 ok",
                "/readyz/controllers | | | 200 ok",
                "/livez | | a controller has ended | 500 a controller has ended",
                "/livez/ping | | a controller has ended | 200 ok",
                "/livez/controllers | verbose | a controller has ended | 500 a controller has ended",
                "/livez | verboseness | | 200 ok",
                "/readyz | verbose | | \"200 [+]ping ok\n[+]controllers ok\nreadyz check passed\n\"",
                "/livez | timeout=1s&verbose=true | | \"200 [+]ping ok\n[+]controllers ok\nlivez check passed\n\"",
                "/livez | verbose | it is full | \"500 [+]ping ok\n[-]controllers failed: it is full\nlivez check failed\n\"",
            })
    void eachPathSaysWhetherAllIsWell(String path, String query, String sickness, String answer) {
        assertThat(ask(path, query, sickness == null ? "" : sickness)).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/livez/", "/livez/etcd", "/livez/ping/x", "/healthy", "/api/livez"})
    void otherPathsAreNotAnsweredHere(String path) {
        boolean answered =
                HealthChecks.answer("GET", path, null, Optional::empty).isPresent();
        assertThat(answered).isEqualTo(path.equals("/livez/"));
    }

    @Test
    void nothingIsWrittenThere() {
        assertThat(HealthChecks.answer("POST", "/livez", null, Optional::empty).map(Answer::status))
                .contains(405);
    }
}
