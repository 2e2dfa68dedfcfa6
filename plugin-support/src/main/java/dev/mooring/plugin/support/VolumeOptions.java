// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FormatPolicy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** What an administrator chose for one volume. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VolumeOptions {
    /** Annotation of a volume: when a file system may be made on its device; a word of {@link FormatPolicy}. */
    public static final String FORMAT = "mooring.dev/format";

    private static final Quantity LARGEST = Quantity.ofBytes(Long.MAX_VALUE);

    private VolumeOptions() {}

    /**
     * Reads an annotation that is one of some words: the names of an enum in small letters, with {@code -} for {@code _}.
     *
     * @param usual what holds without the annotation
     * @return INVALID, with all words, for any other text, also for none
     */
    public static <E extends Enum<E>> Outcome<E> choice(VolumeSpec volume, String annotation, E usual) {
        Optional<String> given = Optional.ofNullable(volume.annotations().get(annotation));
        if (given.isEmpty()) {
            return Outcome.done(usual);
        }
        String text = given.get();
        E[] all = usual.getDeclaringClass().getEnumConstants();
        Optional<E> chosen =
                Arrays.stream(all).filter(value -> word(value).equals(text)).findFirst();
        return chosen.map(Outcome::done)
                .orElseGet(() -> Outcome.refused(
                        Refusal.INVALID,
                        "annotation " + annotation + " is '" + text + "', but must be one of "
                                + Arrays.stream(all).map(VolumeOptions::word).collect(Collectors.joining(", "))));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** When a file system may be made on the volume's device: by the annotation {@link #FORMAT}, else if the device is blank. */
    public static Outcome<FormatPolicy> formatPolicy(VolumeSpec volume) {
        return choice(volume, FORMAT, FormatPolicy.IF_BLANK);
    }

    /** The size that the volume is said to have, in bytes rounded up; {@link Long#MAX_VALUE} for any larger size. */
    public static long capacityBytes(VolumeSpec volume) {
        Quantity capacity = volume.capacity();
        return capacity.compareTo(LARGEST) < 0 ? capacity.valueRoundedUp().longValueExact() : Long.MAX_VALUE;
    }
}
