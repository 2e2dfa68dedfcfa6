// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.validation.Rows.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done with each row of a class of rules, which has the rows in static methods of these names. */
abstract class RulesTable {
    @ParameterizedTest(name = "{0}")
    @MethodSource("objects")
    void aNewObjectIsRefused(Row row) {
        row.isRefusedWhenNew();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aChangeIsRefused(Row row) {
        row.isRefusedAsAChange();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("allowedChanges")
    void aChangeIsAllowed(Row row) {
        row.isAllowedAsAChange();
    }
}
