// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import dev.mooring.storage.compact.SmallMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/** JSON merge patches (RFC 7396). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MergePatch {
    private MergePatch() {}

    /**
     * Applies a patch.
     *
     * @param target the document before
     * @param patch what changes: objects are merged, {@link JsonNull} removes a key, everything else replaces
     * @return the document after
     */
    public static Document apply(Document target, Document patch) {
        return patch.isEmpty() ? target : Document.wrap(merge(target.asMap(), patch.asMap()));
    }

    private static Map<String, Object> merge(Map<?, ?> target, Map<?, ?> patch) {
        Map<String, Object> merged = new LinkedHashMap<>();
        target.forEach((key, value) -> merged.put((String) key, value));
        patch.forEach((key, value) -> {
            if (value == JsonNull.NULL) {
                merged.remove((String) key);
            } else if (value instanceof Map<?, ?> child) {
                Object before = merged.get((String) key);
                merged.put((String) key, merge(before instanceof Map<?, ?> map ? map : Map.of(), child));
            } else {
                merged.put((String) key, value);
            }
        });
        return SmallMap.frozen(merged);
    }
}
