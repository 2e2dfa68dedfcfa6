// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.plugin.support.Sha256;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A volume's id as the caller knows it. It begins with the version of its format, so that ids of later formats differ from these. One
 * name has one key, whatever the id holds beside it, and any key can name a file.
 *
 * @param text the id
 * @param kind who gave it, and what it holds
 * @param key the name of the volume's record
 */
record VolumeHandle(String text, Kind kind, String key) {
    /** Which plugin gave an id, and what the id holds. */
    enum Kind {
        /** This driver; a digest of the name under which the volume was asked for. The records have the volume. */
        NAMED,
        /** This driver; what the volume is, so that no record is needed. */
        PACKED,
        /** A person who wrote a PersistentVolume; what it is stands in the volume's context. */
        STATIC,
        /** A kubelet, for a volume that is written in a pod and ends with it. */
        INLINE
    }

    private static final String NAMED_BEGIN = "m1-";
    private static final int DIGITS = 40;
    private static final Pattern NAMED_FORMAT = Pattern.compile(NAMED_BEGIN + "[0-9a-f]{" + DIGITS + "}");
    private static final Pattern STATIC_FORMAT = Pattern.compile("static-[a-z0-9]([-.a-z0-9]{0,98}[a-z0-9])?");
    private static final Pattern INLINE_FORMAT = Pattern.compile("csi-[0-9a-f]{64}");

    /** The id of a name, as long as nothing is known but the name. */
    static VolumeHandle ofName(String name) {
        String text = isKey(name) ? name : NAMED_BEGIN + Sha256.hex(name).substring(0, DIGITS);
        return new VolumeHandle(text, Kind.NAMED, text);
    }

    /** Whether a name looks like a key, so that it stands for itself. */
    static boolean isKey(String name) {
        return NAMED_FORMAT.matcher(name).matches();
    }

    /** The id of a volume that was made, which holds what the volume is; if that is too long, the one of its name. */
    static VolumeHandle ofVolume(VolumeRecord made) {
        return PackedVolume.pack(made)
                .map(text -> new VolumeHandle(text, Kind.PACKED, made.handle().key()))
                .orElse(made.handle());
    }

    /** Reads an id; empty if it cannot be one of ours. */
    static Optional<VolumeHandle> parse(String text) {
        if (isKey(text)) {
            return Optional.of(new VolumeHandle(text, Kind.NAMED, text));
        }
        if (STATIC_FORMAT.matcher(text).matches()) {
            return Optional.of(new VolumeHandle(text, Kind.STATIC, text));
        }
        if (INLINE_FORMAT.matcher(text).matches()) {
            return Optional.of(new VolumeHandle(text, Kind.INLINE, text));
        }
        return PackedVolume.volumeName(text)
                .map(name -> new VolumeHandle(text, Kind.PACKED, ofName(name).key()));
    }

    @Override
    public String toString() {
        return text;
    }
}
