// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.resource;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of API versions by which clients are offered them (Kubernetes' page <em>Versions in CustomResourceDefinitions</em>). */
final class VersionOrder {
    /** {@code v2, v1, v2beta1, v1beta2, v1alpha1}, and then those of other forms by name. */
    static final Comparator<String> PREFERRED_FIRST = Comparator.comparingInt(VersionOrder::stability)
            .thenComparing(
                    Comparator.comparingLong((String each) -> number(each, 1)).reversed())
            .thenComparing(
                    Comparator.comparingLong((String each) -> number(each, 3)).reversed())
            .thenComparing(Comparator.naturalOrder());

    private static final Pattern FORM = Pattern.compile("v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?");

    private VersionOrder() {}

    private static int stability(String version) {
        Matcher form = FORM.matcher(version);
        if (!form.matches()) {
            return 3;
        }
        return form.group(2) == null ? 0 : form.group(2).equals("beta") ? 1 : 2;
    }

    private static long number(String version, int group) {
        Matcher form = FORM.matcher(version);
        return form.matches() && form.group(group) != null ? Long.parseLong(form.group(group)) : 0;
    }
}
