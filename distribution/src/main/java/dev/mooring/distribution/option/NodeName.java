// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name of a Node, which has to be a DNS subdomain; an empty one counts as not given, so that the machine's own counts. */
public final class NodeName implements ITypeConverter<String> {
    private static final int LONGEST = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern FORM = Pattern.compile(LABEL + "(\\." + LABEL + ")*+");

    @Override
    public String convert(String value) {
        if (!value.isEmpty()
                && (value.length() > LONGEST || !FORM.matcher(value).matches())) {
            throw new TypeConversionException(
                    "must be a DNS subdomain (RFC 1123: lower case letters, digits, '-' and '.',"
                            + " a letter or digit at both ends of each part, at most 253 in all), not '" + value + "'");
        }
        return value;
    }
}
