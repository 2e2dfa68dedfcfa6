// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import dev.mooring.clusterstore.customresources.CustomResource;
import dev.mooring.clusterstore.customresources.DefinedVersion.PrinterColumn;
import dev.mooring.clusterstore.customresources.JsonPath;
import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/** How custom resources are shown as tables: by the columns of their definition, or with their age if it has none. Pure. */
public final class CustomTables {
    private CustomTables() {}

    /** The table of one kind. */
    public static Table of(CustomResource resource) {
        Table table = new Table().plain("Name", object -> Cells.text(object, "metadata", "name"));
        List<PrinterColumn> columns = resource.version().columns();
        if (columns.isEmpty()) {
            return table.withAge();
        }
        for (PrinterColumn column : columns) {
            Optional<JsonPath> path = JsonPath.parse(column.jsonPath());
            table.add(new Column(
                    column.name(),
                    column.type(),
                    column.format(),
                    column.description().isEmpty()
                            ? "Custom resource definition column (in JSONPath format): " + column.jsonPath()
                            : column.description(),
                    column.priority(),
                    (object, now) -> path.map(each -> cell(column.type(), each.in(object), now))
                            .orElse(JsonNull.NULL)));
        }
        return table;
    }

    /** A value that is not of the column's type is not shown. */
    private static Object cell(String type, List<Object> values, Instant now) {
        if (values.isEmpty()) {
            return JsonNull.NULL;
        }
        Object value = values.get(0);
        return switch (type) {
            case "integer" ->
                value instanceof Long whole
                        ? whole
                        : value instanceof BigDecimal number ? number.longValue() : JsonNull.NULL;
            case "number" -> value instanceof Long || value instanceof BigDecimal ? value : JsonNull.NULL;
            case "boolean" -> value instanceof Boolean ? value : JsonNull.NULL;
            case "date" -> value instanceof String text ? age(text, now) : JsonNull.NULL;
            default -> JsonPath.shown(value);
        };
    }

    private static String age(String time, Instant now) {
        try {
            return Cells.human(Duration.between(OffsetDateTime.parse(time).toInstant(), now));
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }
}
