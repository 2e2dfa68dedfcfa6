// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What the page has lists of. */
enum PageKind {
    CLAIMS,
    VOLUMES,
    ATTACHMENTS,
    /** Those that use claims. */
    PODS,
    NODES,
    CLASSES,
    NAMESPACES,
    /** What this machine mounts. */
    MOUNTS;

    /** Its name in addresses and answers. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<PageKind> of(String wireName) {
        return Arrays.stream(values())
                .filter(each -> each.wireName().equals(wireName))
                .findFirst();
    }
}
