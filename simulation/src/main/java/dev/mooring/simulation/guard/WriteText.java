// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.guard;

import dev.mooring.simulation.invariant.ObjectWrite;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.KubernetesObject;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;

/** A write in one line: who wrote what, and which fields have changed to what. */
final class WriteText {
    private static final int LONGEST = 300;

    private WriteText() {}

    static <T extends KubernetesObject> String of(ObjectWrite<T> write) {
        String who = write.client().isEmpty() ? "a client" : write.client();
        String what = " " + write.kind() + " " + write.key();
        if (write.after().isEmpty()) {
            return who + ": removed" + what;
        } else if (write.before().isEmpty()) {
            return who + ": created" + what;
        }
        StringJoiner changes = new StringJoiner(", ");
        Document before = write.kind().write(write.before().get());
        compare("", before.asMap(), write.kind().write(write.after().get()).asMap(), changes);
        String text = who + ": changed" + what + " " + changes;
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    private static void compare(String path, Map<?, ?> before, Map<?, ?> after, StringJoiner changes) {
        Set<Object> keys = new LinkedHashSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (Object key : keys) {
            Object was = before.get(key);
            Object is = after.get(key);
            String field = path.isEmpty() ? String.valueOf(key) : path + "." + key;
            boolean same = Objects.equals(was, is) || field.equals("metadata.resourceVersion");
            if (!same && was instanceof Map<?, ?> old && is instanceof Map<?, ?> now) {
                compare(field, old, now, changes);
            } else if (!same) {
                changes.add(field + "=" + (is == null ? "(gone)" : is));
            }
        }
    }
}
