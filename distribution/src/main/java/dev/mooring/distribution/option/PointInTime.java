// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 2000-01-01T00:00:00Z}, as it stands in objects. */
public final class PointInTime implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String value) {
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("must be a time such as 2000-01-01T00:00:00Z, not '" + value + "'");
        }
    }
}
