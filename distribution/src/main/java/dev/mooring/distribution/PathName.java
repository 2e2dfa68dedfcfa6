// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file or directory. An empty text names none: it comes of a variable that is not set, and would mean the working directory. */
final class PathName implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
        if (value.isBlank()) {
            throw new TypeConversionException("must name a file or directory, not be empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("must be the name of a file or directory: " + e.getMessage());
        }
    }
}
