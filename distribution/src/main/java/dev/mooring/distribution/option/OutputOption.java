// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Whether a command prints for people or programs; the same option for every command that prints for people and for programs. */
public final class OutputOption {
    private enum Format {
        TEXT,
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json.",
            defaultValue = "text",
            converter = FormatConverter.class)
    private Format format = Format.TEXT;

    /** Whether it prints JSON, for programs; otherwise text, for people. */
    public boolean isJson() {
        return format == Format.JSON;
    }

    private static final class FormatConverter implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "text" -> Format.TEXT;
                case "json" -> Format.JSON;
                default -> throw new TypeConversionException("must be text or json, not '" + value + "'");
            };
        }
    }
}
