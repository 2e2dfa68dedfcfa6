// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/**
 * What a reader accepts at most.
 *
 * @param maxBytes size of the text, in bytes of UTF-8
 * @param maxDepth how deep objects and lists may be nested
 * @param maxAliased how many values the aliases of a YAML text may stand for, altogether; of a long text each 64 characters are one more
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CodecLimits(int maxBytes, int maxDepth, int maxAliased) {
    /** 64 MiB, 100 levels, 10 000 values by aliases. */
    public static final CodecLimits STANDARD = new CodecLimits(64 << 20, 100, 10_000);

    /** Checks that all are positive. */
    public CodecLimits {
        if (maxBytes <= 0 || maxDepth <= 0 || maxAliased < 0) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    /** The text of a stream, read no further than the limit. */
    String read(InputStream in, String source) throws IOException {
        byte[] bytes = in.readNBytes(maxBytes);
        if (bytes.length == maxBytes && in.read() >= 0) {
            throw tooLong(source);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    void checkSize(String text, String source) {
        // A char is one to three bytes: the exact count is taken only if it can matter.
        if (text.length() > maxBytes
                || (text.length() > maxBytes / 3 && text.getBytes(StandardCharsets.UTF_8).length > maxBytes)) {
            throw tooLong(source);
        }
    }

    void checkSize(int bytes, String source) {
        if (bytes > maxBytes) {
            throw tooLong(source);
        }
    }

    private CodecException tooLong(String source) {
        return new CodecException(source, 0, 0, "must not be longer than " + maxBytes + " bytes");
    }

    String tooDeep() {
        return "must not be nested deeper than " + maxDepth + " levels";
    }
}
