// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Base64;
import org.apiguardian.api.API;

/** A base64 text that never shows in {@link #toString}. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HiddenText {
    private final String base64;

    /**
     * Hides a text.
     *
     * @param base64 the bytes in base64
     */
    public HiddenText(String base64) {
        this.base64 = base64;
    }

    /** The text, for stores and codecs only. */
    public String revealBase64() {
        return base64;
    }

    /**
     * The bytes, for the one place that needs them.
     *
     * @throws IllegalArgumentException if the text is no base64; the message does not hold it
     */
    public byte[] revealBytes() {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a value of a secret is not base64");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HiddenText that && base64.equals(that.base64);
    }

    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
