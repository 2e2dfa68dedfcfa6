// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The directory of a process. An empty text names none: it comes of a variable that is not set, and would mean the working one. */
final class DataDirectory implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
        if (value.isBlank()) {
            throw new TypeConversionException("must be a directory, not empty; the working directory is '.'");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("must be a directory: " + e.getMessage());
        }
    }
}
