// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * A column.
 *
 * @param name its head
 * @param type of the cells: string, integer or boolean
 * @param wide whether it shows with {@code -o wide} only
 * @param cell the cell of an object at a time
 */
record Column(String name, String type, boolean wide, BiFunction<Document, Instant, Object> cell) {}
