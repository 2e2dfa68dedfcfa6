// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import java.util.Map;
import java.util.TreeMap;

/** The claims and volumes of a namespace or class, counted. Changed only while a moment is made. */
final class PageGroup {
    final String name;
    final Map<String, Long> claims = new TreeMap<>();
    final Map<String, Long> volumes = new TreeMap<>();
    private int attention;

    PageGroup(String name) {
        this.name = name;
    }

    void count(PageRow row) {
        (row.kind() == PageKind.CLAIMS ? claims : volumes).merge(row.state(), 1L, Long::sum);
        attention += row.attention() ? 1 : 0;
    }

    /** How many of them need attention. */
    int attention() {
        return attention;
    }
}
