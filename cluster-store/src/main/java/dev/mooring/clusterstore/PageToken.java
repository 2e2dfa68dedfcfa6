// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a page ended: the revision that the whole list shows, and the last key of the page. */
record PageToken(Revision revision, ObjectKey last) {
    private static final Pattern SYNTAX = Pattern.compile("v1:(\\d{1,18}):([^/]*)/(.+)");

    /** Refuses a malformed token as invalid. */
    static PageToken parse(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            Matcher matcher = SYNTAX.matcher(plain);
            if (matcher.matches()) {
                Revision revision = Revision.parse(matcher.group(1));
                return new PageToken(revision, ObjectKey.of(matcher.group(2), matcher.group(3)));
            }
        } catch (IllegalArgumentException e) {
            throw notAToken();
        }
        throw notAToken();
    }

    private static Refused notAToken() {
        return new Refused(Failure.INVALID, "continue key is not valid");
    }

    String text() {
        String plain = "v1:" + revision + ":" + last.namespace() + "/" + last.name();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }
}
