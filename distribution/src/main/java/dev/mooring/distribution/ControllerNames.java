// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.wiring.ControllerChoice;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Names of controllers with commas between. */
final class ControllerNames implements ITypeConverter<ControllerChoice> {
    @Override
    public ControllerChoice convert(String value) {
        try {
            return ControllerChoice.of(
                    Arrays.stream(value.split(",", -1)).map(String::strip).toList());
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
