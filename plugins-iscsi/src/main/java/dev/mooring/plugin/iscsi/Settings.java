// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FormatPolicy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an administrator chose for a volume, by annotations of its PersistentVolume.
 *
 * @param discovery how records are made
 * @param multipath whether a map over the paths is wanted
 * @param fencing whether reservations are wanted
 * @param format whether a file system may be made
 */
record Settings(Discovery discovery, Wanted multipath, Wanted fencing, FormatPolicy format) {
    static final String DISCOVERY = "mooring.dev/iscsi-discovery";
    static final String MULTIPATH = "mooring.dev/iscsi-multipath";
    static final String FENCING = "mooring.dev/iscsi-fencing";
    static final String FORMAT = "mooring.dev/format";

    /** How a record comes to be. */
    enum Discovery {
        /** From the source alone: no question to the target, no records of others. */
        STATIC,
        /** The portal is asked for the target's portal group. */
        SENDTARGETS
    }

    /** How much something is wanted. */
    enum Wanted {
        OFF,
        PREFER,
        REQUIRE
    }

    static Outcome<Settings> of(VolumeSpec volume) {
        return choice(volume, DISCOVERY, Discovery.STATIC)
                .then(discovery -> choice(volume, MULTIPATH, Wanted.PREFER)
                        .then(multipath -> choice(volume, FENCING, Wanted.PREFER)
                                .then(fencing -> choice(volume, FORMAT, FormatPolicy.IF_BLANK)
                                        .map(format -> new Settings(discovery, multipath, fencing, format)))));
    }

    private static <E extends Enum<E>> Outcome<E> choice(VolumeSpec volume, String key, E usual) {
        String text = volume.annotations().getOrDefault(key, "");
        if (text.isEmpty()) {
            return Outcome.done(usual);
        }
        E[] all = usual.getDeclaringClass().getEnumConstants();
        Optional<E> chosen =
                Arrays.stream(all).filter(value -> word(value).equals(text)).findFirst();
        return chosen.map(Outcome::done)
                .orElseGet(() -> Outcome.refused(
                        Refusal.INVALID,
                        "annotation " + key + " must be one of "
                                + Arrays.stream(all).map(Settings::word).collect(Collectors.joining(", "))));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
