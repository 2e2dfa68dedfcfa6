// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 127.0.0.1:8080}, {@code [::1]:8080}, {@code :8080} for every address. */
public final class BindAddress implements ITypeConverter<InetSocketAddress> {
    private static final Pattern FORM = Pattern.compile("(.*):(\\d{1,5})");
    private static final int LAST_PORT = 65_535;

    @Override
    public InetSocketAddress convert(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches() || Integer.parseInt(form.group(2)) > LAST_PORT) {
            throw new TypeConversionException("must be ADDRESS:PORT, not '" + value + "'");
        }
        String host = form.group(1).replaceAll("^\\[(.*)]$", "$1");
        return new InetSocketAddress(host.isEmpty() ? "0.0.0.0" : host, Integer.parseInt(form.group(2)));
    }
}
