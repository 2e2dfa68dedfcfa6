// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {
    private static Map<String, String> types(Table table) {
        Map<String, String> types = new LinkedHashMap<>();
        table.definitions().forEach(each -> {
            Map<?, ?> column = (Map<?, ?>) each;
            types.put((String) column.get("name"), (String) column.get("type"));
        });
        return types;
    }

    @Test
    void flagsAreFlagsForProgramsToo() {
        Table drivers = Tables.of(Kinds.CSI_DRIVER);
        assertThat(types(drivers))
                .containsEntry("AttachRequired", "boolean")
                .containsEntry("PodInfoOnMount", "boolean")
                .containsEntry("StorageCapacity", "boolean")
                .containsEntry("RequiresRepublish", "boolean");
        Document driver = Document.of(Map.of("metadata", Map.of("name", "d"), "spec", Map.of("podInfoOnMount", true)));
        assertThat(drivers.cells(driver, Instant.EPOCH).subList(0, 4)).isEqualTo(List.of("d", true, true, false));
        assertThat(types(Tables.of(Kinds.VOLUME_ATTACHMENT))).containsEntry("Attached", "boolean");
    }

    /** Odd, and as Kubernetes declares them. */
    @Test
    void countsOfDataAreDeclaredAsTexts() {
        assertThat(types(Tables.of(Kinds.SECRET))).containsEntry("Data", "string");
        assertThat(types(Tables.of(Kinds.CONFIG_MAP))).containsEntry("Data", "string");
        assertThat(types(Tables.of(Kinds.SERVICE_ACCOUNT))).containsEntry("Secrets", "string");
    }
}
