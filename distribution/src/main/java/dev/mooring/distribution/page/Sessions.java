// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.control.TimeSource;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Browsers that have shown the token. They end with the process. Thread-safe. */
final class Sessions {
    static final Duration LIFETIME = Duration.ofHours(12);
    private static final int MOST = 100;
    private static final int ID_BYTES = 32;

    private final SecureRandom random;
    private final TimeSource time;
    /** When each was opened, the oldest first; guarded by this. */
    private final Map<String, Long> opened = new LinkedHashMap<>();

    Sessions(SecureRandom random, TimeSource time) {
        this.random = random;
        this.time = time;
    }

    /** A new one's name, which cannot be guessed; beyond {@value #MOST} the oldest ends. */
    synchronized String open() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        opened.put(id, time.now().monotonicNanos());
        if (opened.size() > MOST) {
            Iterator<String> oldest = opened.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        return id;
    }

    /** Whether one is open. Names are looked up by their hash, so how long it takes tells nothing about others. */
    synchronized boolean isOpen(String id) {
        Long since = opened.get(id);
        if (since == null) {
            return false;
        }
        boolean open = time.now().monotonicNanos() - since < LIFETIME.toNanos();
        if (!open) {
            opened.remove(id);
        }
        return open;
    }

    synchronized void close(String id) {
        opened.remove(id);
    }
}
