// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.control.TimeSource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;

/**
 * Stands in a link for the token, which must not be in a log: good for one login, and for a short time. What a log keeps of it opens nothing
 * later. Thread-safe.
 */
final class LoginTicket {
    static final Duration LIFETIME = Duration.ofMinutes(15);
    private static final int BYTES = 32;

    private final TimeSource time;
    private final String text;
    private final long made;
    /** Guarded by this. */
    private boolean used;

    LoginTicket(SecureRandom random, TimeSource time) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        this.text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        this.time = time;
        this.made = time.now().monotonicNanos();
    }

    String text() {
        return text;
    }

    /** Uses it up if it is this one; takes as long whatever is given. */
    synchronized boolean redeem(String given) {
        boolean same =
                MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
        boolean good = same && !used && time.now().monotonicNanos() - made < LIFETIME.toNanos();
        used |= same;
        return good;
    }
}
