// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file or directory. An empty text names none: it comes of a variable that is not set, and would mean the working directory. */
public final class PathName implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
        return convert(value, "must name a file or directory, not be empty", "must be the name of a file or directory");
    }

    /**
     * The same where more is known of what is meant.
     *
     * @param notEmpty what is said of an empty text
     * @param rule what is said of a text that cannot be a path
     */
    public static Path convert(String value, String notEmpty, String rule) {
        if (value.isBlank()) {
            throw new TypeConversionException(notEmpty);
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(rule + ": " + e.getMessage());
        }
    }
}
