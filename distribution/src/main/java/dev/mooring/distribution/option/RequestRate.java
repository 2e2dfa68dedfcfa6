// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many requests per second: {@code 50}, {@code 0.5}; 0 stands for no limit. */
public final class RequestRate implements ITypeConverter<Double> {
    private static final String FORM = "\\d{1,9}(\\.\\d{1,9})?";

    @Override
    public Double convert(String value) {
        if (!value.matches(FORM)) {
            throw new TypeConversionException("must be a number such as 50 or 0.5, not '" + value + "'");
        }
        return Double.valueOf(value);
    }

    /** How many at once: a whole number, at least 1. */
    public static final class Burst implements ITypeConverter<Integer> {
        private static final String FORM = "0*[1-9]\\d{0,8}";

        @Override
        public Integer convert(String value) {
            if (!value.matches(FORM)) {
                throw new TypeConversionException("must be a whole number of at least 1, not '" + value + "'");
            }
            return Integer.valueOf(value);
        }
    }
}
