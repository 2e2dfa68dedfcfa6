// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
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

    /**
     * What a Secret object holds.
     *
     * @param texts values by key, in UTF-8
     */
    public static Map<String, SecretValue> all(Map<String, String> texts) {
        Map<String, SecretValue> values = new TreeMap<>();
        texts.forEach((key, text) -> values.put(key, new SecretValue(text.getBytes(StandardCharsets.UTF_8))));
        return values;
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
