// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apiguardian.api.API;

/** Names of bounded length for texts of any length, such as a file for a path: equal for equal texts, different for any others. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Sha256 {
    private Sha256() {}

    /** The SHA-256 of a text's UTF-8 bytes: 64 hexadecimal digits in small letters. */
    public static String hex(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
