// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one version of the mount table after another. Of a thousand lines all but one are as they were when a volume is mounted, and what
 * was read once is not read again: a change costs what has changed. For one thread at a time.
 */
final class KnownLines {
    private Map<String, MountEntry> known = Map.of();

    /** As {@link MountInfoParser#parse}. */
    MountTable parse(String text) {
        Map<String, MountEntry> seen = new HashMap<>();
        List<MountEntry> entries = new ArrayList<>();
        KernelText.lines(text).forEach(line -> {
            MountEntry before = known.get(line);
            if (before == null) {
                MountInfoParser.line(line).ifPresent(entry -> {
                    entries.add(entry);
                    seen.put(line, entry);
                });
            } else {
                entries.add(before);
                seen.put(line, before);
            }
        });
        known = seen;
        return new MountTable(entries);
    }
}
