// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** What Kubernetes takes as a label of an object, so also as a topology. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LabelSyntax {
    private static final String NAME = "[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?";
    private static final Pattern KEY = Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?" + NAME);
    private static final Pattern VALUE = Pattern.compile("(" + NAME + ")?");

    private LabelSyntax() {}

    /**
     * Whether a text can be the key of a label: a name of at most 63 characters, which may have a domain and a slash before it.
     *
     * @param text never null
     */
    public static boolean isKey(String text) {
        return KEY.matcher(text).matches();
    }

    /**
     * Whether a text can be the value of a label: at most 63 letters, digits, {@code -}, {@code _} and {@code .}, the first and the last a
     * letter or digit. The empty text can be one.
     *
     * @param text never null
     */
    public static boolean isValue(String text) {
        return VALUE.matcher(text).matches();
    }
}
