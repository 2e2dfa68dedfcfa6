// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountEntryBuilder;
import dev.mooring.storage.spi.host.MountTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Reads the text of {@code /proc/self/mountinfo} (semantics/plugins §1.2): fields separated by blanks, octal escapes, optional
 * fields up to a hyphen, the mark of a deleted root. Pure.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MountInfoParser {
    private static final String DELETED = "//deleted";

    private MountInfoParser() {}

    /**
     * Reads the whole text.
     *
     * @param text lines as the kernel writes them
     * @return the table; a line that is no entry is left out, since one strange line must not hide all others
     */
    public static MountTable parse(String text) {
        return new MountTable(KernelText.lines(text).stream()
                .map(MountInfoParser::line)
                .flatMap(Optional::stream)
                .toList());
    }

    /** Reads one line; empty if it is no entry. */
    static Optional<MountEntry> line(String line) {
        List<String> fields = Arrays.asList(line.split(" ", -1));
        int hyphen = fields.indexOf("-");
        if (hyphen < 6 || fields.size() < hyphen + 4) {
            return Optional.empty();
        }
        try {
            return Optional.of(entry(fields, hyphen));
        } catch (NumberFormatException notAnEntry) {
            return Optional.empty();
        }
    }

    private static MountEntry entry(List<String> fields, int hyphen) {
        String root = KernelText.unescape(fields.get(3));
        boolean deleted = root.endsWith(DELETED);
        return MountEntryBuilder.builder()
                .id(Integer.parseInt(fields.get(0)))
                .parent(Integer.parseInt(fields.get(1)))
                .device(fields.get(2))
                .root(deleted ? root.substring(0, root.length() - DELETED.length()) : root)
                .rootDeleted(deleted)
                .mountPoint(KernelText.path(KernelText.unescape(fields.get(4))))
                .options(splitOptions(KernelText.unescape(fields.get(5))))
                .peerGroup(tagged(fields.subList(6, hyphen), "shared:"))
                .master(tagged(fields.subList(6, hyphen), "master:"))
                .fsType(KernelText.unescape(fields.get(hyphen + 1)))
                .source(KernelText.unescape(fields.get(hyphen + 2)))
                .superOptions(splitOptions(KernelText.unescape(fields.get(hyphen + 3))))
                .build();
    }

    private static OptionalLong tagged(List<String> optional, String tag) {
        for (String field : optional) {
            if (field.startsWith(tag)) {
                return OptionalLong.of(Long.parseLong(field.substring(tag.length())));
            }
        }
        return OptionalLong.empty();
    }

    /** Splits at commas, but not within double quotes. */
    static List<String> splitOptions(String options) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < options.length(); i++) {
            char c = options.charAt(i);
            quoted ^= c == '"';
            if (c == ',' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }
}
