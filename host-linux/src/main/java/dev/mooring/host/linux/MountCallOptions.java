// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of a mount as {@code mount(2)} wants them: those of every mount are bits, the rest is text for the file system. Later options
 * win over earlier ones (semantics/plugins §1.3).
 *
 * @param flags the bits
 * @param data the rest, in its order, separated by commas
 */
record MountCallOptions(long flags, String data) {
    static final long READ_ONLY = 1;
    private static final int LONGEST = 4095;

    /** What each option sets (positive) or clears (negative). */
    private static final Map<String, Long> BITS = Map.ofEntries(
            Map.entry("nosuid", 2L),
            Map.entry("suid", -2L),
            Map.entry("nodev", 4L),
            Map.entry("dev", -4L),
            Map.entry("noexec", 8L),
            Map.entry("exec", -8L),
            Map.entry("sync", 16L),
            Map.entry("async", -16L),
            Map.entry("mand", 64L),
            Map.entry("nomand", -64L),
            Map.entry("dirsync", 128L),
            Map.entry("nosymfollow", 256L),
            Map.entry("noatime", 1L << 10),
            Map.entry("atime", -(1L << 10)),
            Map.entry("nodiratime", 1L << 11),
            Map.entry("diratime", -(1L << 11)),
            Map.entry("silent", 1L << 15),
            Map.entry("relatime", 1L << 21),
            Map.entry("norelatime", -(1L << 21)),
            Map.entry("iversion", 1L << 23),
            Map.entry("noiversion", -(1L << 23)),
            Map.entry("strictatime", 1L << 24),
            Map.entry("nostrictatime", -(1L << 24)),
            Map.entry("lazytime", 1L << 25),
            Map.entry("nolazytime", -(1L << 25)));

    /** Meant for the programs that read {@code /etc/fstab}, unknown to the kernel. */
    private static final Set<String> NOT_FOR_THE_KERNEL =
            Set.of("defaults", "rw", "auto", "noauto", "nofail", "_netdev");

    static Outcome<MountCallOptions> of(List<String> options, boolean readOnly) {
        long flags = readOnly ? READ_ONLY : 0;
        List<String> rest = new ArrayList<>();
        for (String option : options) {
            if (option.isEmpty() || option.indexOf('\0') >= 0 || option.indexOf('\n') >= 0 || hasComma(option)) {
                return Outcome.refused(
                        Refusal.INVALID, "'" + Kernel.printable(Kernel.name(option)) + "' is no mount option");
            }
            if (readOnly && option.equals("rw")) {
                return Outcome.refused(Refusal.INVALID, "the mount is to be read-only, yet an option is 'rw'");
            }
            long bit = BITS.getOrDefault(option, option.equals("ro") ? READ_ONLY : 0L);
            flags = bit >= 0 ? flags | bit : flags & ~-bit;
            if (bit == 0 && !NOT_FOR_THE_KERNEL.contains(option)) {
                rest.add(option);
            }
        }
        String data = String.join(",", rest);
        return data.length() > LONGEST
                ? Outcome.refused(Refusal.INVALID, "the mount options are longer than " + LONGEST + " characters")
                : Outcome.done(new MountCallOptions(flags, data));
    }

    /** One element is one option: a comma would smuggle in a second one, unless it is quoted. */
    private static boolean hasComma(String option) {
        return MountInfoParser.splitOptions(option).size() > 1;
    }

    boolean readOnly() {
        return (flags & READ_ONLY) != 0;
    }
}
