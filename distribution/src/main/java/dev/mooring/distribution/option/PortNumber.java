// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A port of TCP; 0 stands for a free one. */
public final class PortNumber implements ITypeConverter<Integer> {
    private static final String FORM = "\\d{1,5}";
    private static final int LAST = 65_535;

    @Override
    public Integer convert(String value) {
        if (!value.matches(FORM) || Integer.parseInt(value) > LAST) {
            throw new TypeConversionException("must be a port from 0 to " + LAST + ", not '" + value + "'");
        }
        return Integer.valueOf(value);
    }
}
