// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The columns in which objects of a kind are shown. */
public final class Table {
    private final List<Column> columns;
    private UnaryOperator<Document> reading = UnaryOperator.identity();

    /** One without columns. */
    Table() {
        this(List.of());
    }

    Table(List<Column> columns) {
        this.columns = new ArrayList<>(columns);
    }

    /** The heads. */
    public List<Object> definitions() {
        List<Object> all = new ArrayList<>();
        for (Column column : columns) {
            Map<String, Object> definition = new LinkedHashMap<>();
            definition.put("name", column.name());
            definition.put("type", column.type());
            definition.put("format", column.format());
            definition.put("description", column.description());
            definition.put("priority", column.priority());
            all.add(definition);
        }
        return all;
    }

    /** The cells of an object at a time. */
    public List<Object> cells(Document object, Instant now) {
        List<Object> cells = new ArrayList<>();
        Document read = reading.apply(object);
        columns.forEach(column -> cells.add(column.cell().apply(read, now)));
        return cells;
    }

    /** The same with a column of texts. */
    Table plain(String name, Function<Document, Object> cell) {
        return add(name, "string", false, (object, now) -> cell.apply(object));
    }

    /** The same with a column of texts that shows with {@code -o wide} only. */
    Table broad(String name, Function<Document, Object> cell) {
        return add(name, "string", true, (object, now) -> cell.apply(object));
    }

    /** The same columns of what an object is in another form. */
    Table reading(UnaryOperator<Document> form) {
        reading = form;
        return this;
    }

    /** The same with a column of the time since an object was made. */
    Table withAge() {
        return add("Age", "string", false, (object, now) -> Cells.age(object, now, "metadata", "creationTimestamp"));
    }

    /** The same with one more column. */
    Table add(Column column) {
        columns.add(column);
        return this;
    }

    /** The same with one more column. */
    Table add(String name, String type, boolean wide, BiFunction<Document, Instant, Object> cell) {
        columns.add(new Column(name, type, wide, cell));
        return this;
    }
}
