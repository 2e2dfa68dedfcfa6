// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * A column.
 *
 * @param name its head
 * @param type of the cells: string, integer, number, boolean or date
 * @param format of the cells; may be empty
 * @param description for people
 * @param priority 0 for those that always show; others show with {@code -o wide} only
 * @param cell the cell of an object at a time
 */
record Column(
        String name,
        String type,
        String format,
        String description,
        long priority,
        BiFunction<Document, Instant, Object> cell) {
    Column(String name, String type, boolean wide, BiFunction<Document, Instant, Object> cell) {
        this(name, type, name.equals("Name") ? "name" : "", name, wide ? 1 : 0, cell);
    }
}
