// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.plugin.support.Sha256;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A snapshot's id as the caller knows it. It begins with the version of its format. One name has one key, whatever the id holds beside it,
 * and any key can name a file.
 *
 * @param text the id
 * @param key the name of the snapshot's record
 */
record SnapshotHandle(String text, String key) {
    private static final String NAMED_BEGIN = "s1-";
    private static final int DIGITS = 40;
    private static final Pattern NAMED_FORMAT = Pattern.compile(NAMED_BEGIN + "[0-9a-f]{" + DIGITS + "}");

    /** The id of a name: a digest. What it is stands in the records. */
    static SnapshotHandle ofName(String name) {
        String text = isKey(name) ? name : NAMED_BEGIN + Sha256.hex(name).substring(0, DIGITS);
        return new SnapshotHandle(text, text);
    }

    /** Whether a name looks like a key, so that it stands for itself. */
    static boolean isKey(String name) {
        return NAMED_FORMAT.matcher(name).matches();
    }

    /** The id of a snapshot that was taken, which holds what the plugin calls it; if that is too long, the one of its name. */
    static SnapshotHandle ofSnapshot(SnapshotRecord taken) {
        return PackedText.pack(SnapshotJson.PACKED_BEGIN, SnapshotJson.packed(taken))
                .map(text -> new SnapshotHandle(text, taken.handle().key()))
                .orElse(taken.handle());
    }

    /** Reads an id; empty if it cannot be one of ours. */
    static Optional<SnapshotHandle> parse(String text) {
        return isKey(text)
                ? Optional.of(new SnapshotHandle(text, text))
                : SnapshotJson.packedName(text)
                        .map(name -> new SnapshotHandle(text, ofName(name).key()));
    }

    @Override
    public String toString() {
        return text;
    }
}
