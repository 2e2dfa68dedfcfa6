// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.rest.exchange.Representation.Encoding;
import dev.mooring.apiserver.rest.exchange.Representation.Form;
import org.junit.jupiter.api.Test;

/** What a client is given of what it says it can take. */
class RepresentationTest {
    @Test
    void whatIsWantedMostCountsThenWhatComesFirst() {
        assertThat(Representation.of("application/json;q=0.5, application/yaml", false)
                        .encoding())
                .isEqualTo(Encoding.YAML);
        assertThat(Representation.of("application/yaml;q=0.2,application/json;q=0.9", false)
                        .encoding())
                .isEqualTo(Encoding.JSON);
        assertThat(Representation.of("application/yaml,application/json", false).encoding())
                .isEqualTo(Encoding.YAML);
        assertThat(Representation.of("application/json;q=0.1,application/json;as=Table;g=meta.k8s.io;v=v1", false)
                        .form())
                .isEqualTo(Form.TABLE);
    }

    @Test
    void whatIsNotWantedIsNotGiven() {
        assertThatThrownBy(() -> Representation.of("application/json;q=0", false))
                .isInstanceOf(RestFailure.class);
        assertThat(Representation.of("application/json;q=0.0,*/*;q=0.1", false).form())
                .isEqualTo(Form.OBJECT);
    }
}
