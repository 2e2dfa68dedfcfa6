// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.plugin.support.Sha256;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A volume's id as the caller knows it: the version of its format, and a digest of the name under which the volume was asked for. So one name
 * has one id, and any id can name a file. Ids of later formats will begin otherwise.
 *
 * @param text the id
 */
record VolumeHandle(String text) {
    private static final String VERSION = "m1-";
    private static final int DIGITS = 40;
    private static final Pattern FORMAT = Pattern.compile(VERSION + "[0-9a-f]{" + DIGITS + "}");

    static VolumeHandle ofName(String name) {
        return new VolumeHandle(VERSION + Sha256.hex(name).substring(0, DIGITS));
    }

    /** Reads an id; empty if it cannot be one of ours. */
    static Optional<VolumeHandle> parse(String text) {
        return FORMAT.matcher(text).matches() ? Optional.of(new VolumeHandle(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
