// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.ATTACHMENT;
import static dev.mooring.clusterstore.validation.Rows.CLAIM;
import static dev.mooring.clusterstore.validation.Rows.CLASS;
import static dev.mooring.clusterstore.validation.Rows.POD;
import static dev.mooring.clusterstore.validation.Rows.VALIDATION;
import static dev.mooring.clusterstore.validation.Rows.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sound passes, and of what is not every problem is told. */
class ValidationTest {
    @Test
    void soundObjectsAreSound() {
        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, VOLUME)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.STORAGE_CLASS, CLASS)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.POD, POD)).isEmpty();
        assertThat(VALIDATION.onCreate(Kinds.VOLUME_ATTACHMENT, ATTACHMENT)).isEmpty();
    }

    @Test
    void severalProblemsAreToldInAFixedOrder() {
        Document broken =
                VOLUME.with("A", "metadata", "name").without("spec", "capacity").without("spec", "nfs");
        List<String> paths = new ArrayList<>();
        VALIDATION.onCreate(Kinds.PERSISTENT_VOLUME, broken).forEach(problem -> paths.add(problem.path()));
        assertThat(paths).containsExactly("metadata.name", "spec.capacity", "spec.capacity", "spec");
        assertThat(Collections.frequency(paths, "spec")).isOne();
    }
}
