// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.host.MountEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the kernel made of the options that were asked for. Mounts of one export may share a file system whose options the first mount
 * decided, and the machine's own configuration adds options: only the table tells (semantics/plugins §2.2). Pure.
 */
final class EffectiveOptions {
    private static final List<String> STRICT = List.of(
            NfsMountOptions.ACCESS,
            NfsMountOptions.VERSION,
            NfsMountOptions.SECURITY,
            NfsMountOptions.TRANSPORT,
            NfsMountOptions.RECOVERY);
    /** Settings of which it says nothing how the table shows them. */
    private static final Set<String> NOT_COMPARED = Set.of("retry", "minorversion", "port", "actimeo");

    private final Map<String, String> effective = new LinkedHashMap<>();
    private final NfsMountOptions wanted;

    EffectiveOptions(NfsMountOptions wanted, MountEntry entry) {
        this.wanted = wanted;
        entry.superOptions().forEach(this::add);
        effective.put(NfsMountOptions.ACCESS, entry.readOnly() ? "ro" : "rw");
    }

    private void add(String word) {
        NfsMountOptions.Setting setting = NfsMountOptions.Setting.of(word);
        effective.put(setting.key(), setting.value());
    }

    /** What differs although the volume depends on it, with both values; empty if nothing does. */
    List<String> conflicts() {
        List<String> found = new ArrayList<>();
        for (String key : STRICT) {
            Optional<String> asked = asked(key);
            String is = effective.getOrDefault(key, "unknown");
            if (asked.isPresent() && !agrees(key, asked.get(), is)) {
                found.add(key + " is " + is + " instead of " + asked.get());
            }
        }
        return found;
    }

    private Optional<String> asked(String key) {
        // writable is asked for by asking for nothing
        return key.equals(NfsMountOptions.ACCESS)
                ? Optional.of(wanted.readOnly() ? "ro" : "rw")
                : wanted.setting(key).map(value -> withMinor(key, value));
    }

    private String withMinor(String key, String value) {
        boolean openMinor = key.equals(NfsMountOptions.VERSION) && value.equals("4");
        return openMinor
                ? wanted.setting("minorversion").map(minor -> "4." + minor).orElse(value)
                : value;
    }

    private static boolean agrees(String key, String asked, String is) {
        if (key.equals(NfsMountOptions.VERSION)) {
            return is.equals(asked) || (asked.equals("4") && is.startsWith("4."));
        }
        if (key.equals(NfsMountOptions.SECURITY)) {
            // a list leaves the choice to the server
            return List.of(asked.split(":")).contains(is);
        }
        // over IPv6 the kernel adds the digit
        return is.equals(asked) || (key.equals(NfsMountOptions.TRANSPORT) && is.equals(asked + "6"));
    }

    /** What else differs, for people. */
    List<String> differences() {
        List<String> found = new ArrayList<>();
        wanted.settings().forEach((key, asked) -> {
            String is = effective.getOrDefault(key, asked);
            if (!STRICT.contains(key) && !NOT_COMPARED.contains(key) && !is.equals(asked)) {
                found.add(key + " is " + is + " instead of " + asked);
            }
        });
        return found;
    }
}
