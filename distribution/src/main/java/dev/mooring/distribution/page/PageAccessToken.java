// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.apiserver.file.PrivateFile;
import dev.mooring.runtime.control.FileFailures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Predicate;

/** The token of a page that has no API beside it. */
public final class PageAccessToken {
    private static final int BYTES = 32;

    private PageAccessToken() {}

    /**
     * Reads the token from a file; makes a missing file, for its owner alone.
     *
     * @return whether a text is the token; takes as long whatever the text is
     * @throws IOException if the file cannot be used or holds no token; the message names it
     */
    public static Predicate<String> in(Path file, SecureRandom random) throws IOException {
        byte[] token = text(file, random).strip().getBytes(StandardCharsets.UTF_8);
        if (token.length < BYTES) {
            throw new IOException(file + " holds no token: delete it to have a new one made");
        }
        return text -> MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token);
    }

    private static String text(Path file, SecureRandom random) throws IOException {
        boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        try {
            if (!there) {
                make(file, random);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new IOException(
                    "the page's token cannot be " + (there ? "read from " : "written to ") + file + ": "
                            + FileFailures.reason(e),
                    e);
        }
    }

    private static void make(Path file, SecureRandom random) throws IOException {
        byte[] fresh = new byte[BYTES];
        random.nextBytes(fresh);
        String made = Base64.getUrlEncoder().withoutPadding().encodeToString(fresh);
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        PrivateFile.write(file, (made + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
