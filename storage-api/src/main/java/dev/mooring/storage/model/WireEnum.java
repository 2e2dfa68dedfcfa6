// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A constant with a name in Kubernetes' spelling. A value that this version does not know is read as the constant {@code UNKNOWN}. That
 * loses nothing: only differences are written, so a field that is not edited keeps its text.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WireEnum {
    /** The constant's name in Java; implemented by every enum. */
    String name();

    /** The name in documents: {@code READ_WRITE_ONCE} is {@code ReadWriteOnce}. */
    default String wireName() {
        StringBuilder text = new StringBuilder();
        for (String word : name().split("_", -1)) {
            text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}
