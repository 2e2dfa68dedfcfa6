// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.Arrays;
import org.apiguardian.api.API;

/** Bytes that never show: not in {@link #toString}, not in an exception, not in a log. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SecretValue {
    private final byte[] bytes;

    /**
     * Copies the bytes.
     *
     * @param bytes the secret
     */
    public SecretValue(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** A copy of the secret, for the one place that needs it; overwrite it after use. */
    public byte[] reveal() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretValue that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 0;
    }

    /** Says only that there is a secret. */
    @Override
    public String toString() {
        return "(secret)";
    }
}
