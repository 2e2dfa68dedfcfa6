// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListOptionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata.name=x",
                "metadata.name==x",
                "metadata.namespace=y,metadata.name=x",
                "metadata.name=x,a!=b"
            })
    void theNameSelectsOneObject(String fields) {
        assertThat(ListOptions.ALL.withFields(fields).isByName()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "metadata.name!=x", "spec.nodeName=x", "metadata.namespace=metadata.name=x"})
    void whatElseIsSelectedMayBeMany(String fields) {
        assertThat(ListOptions.ALL.withFields(fields).isByName()).isFalse();
    }

    @Test
    void everythingIsNotByName() {
        assertThat(ListOptions.inNamespace("default").isByName()).isFalse();
    }
}
