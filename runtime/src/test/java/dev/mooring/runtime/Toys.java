// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.Revision;
import java.util.Map;
import java.util.Optional;

/** Objects to play with: config maps, since they have no status and no rules. */
public final class Toys {
    private Toys() {}

    /** The key of a toy. */
    public static ObjectKey key(String name) {
        return ObjectKey.of("ns", name);
    }

    /** A toy as a store has it. */
    public static ConfigMap toy(String name, String uid, long revision) {
        return toy(name, uid, revision, "");
    }

    /** A toy with a text in it. */
    public static ConfigMap toy(String name, String uid, long revision, String text) {
        ObjectMeta metadata = ObjectMeta.EMPTY
                .withName(name)
                .withNamespace("ns")
                .withUid(uid)
                .withResourceVersion(revision == 0 ? "" : Long.toString(revision));
        return new ConfigMap(metadata, Map.of("text", text), Map.of(), Optional.empty());
    }

    /** A toy that no store has seen. */
    public static ConfigMap fresh(String name, String text) {
        return toy(name, "", 0, text);
    }

    /** The same with another text. */
    public static ConfigMap saying(ConfigMap toy, String text) {
        return toy.withData(Map.of("text", text));
    }

    /** A revision. */
    public static Revision at(long revision) {
        return new Revision(revision);
    }
}
