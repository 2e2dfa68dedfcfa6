// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;

/** The directory of a process. Refuses an empty text: it may be meant for the working directory, which has to be named. */
public final class DataDirectory implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
        return PathName.convert(
                value, "must be a directory, not empty; the working directory is '.'", "must be a directory");
    }
}
