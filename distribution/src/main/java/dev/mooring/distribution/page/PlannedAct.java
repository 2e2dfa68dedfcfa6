// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.DocumentEdit;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an act would do, as it was judged on live reads.
 *
 * @param objections why it must not be done; empty if it may be
 * @param change the one write that does it; empty if there are objections
 * @param consequences what follows from it, for people to read first
 * @param command does the same in a shell
 * @param <T> what is changed
 */
record PlannedAct<T extends KubernetesObject>(
        Kind<T> kind, List<String> objections, Optional<Change<T>> change, List<String> consequences, String command) {
    private static final int LONGEST = 200;

    /** Whether it was judged on this version of this object. */
    boolean isOf(String uid, String version) {
        return change.filter(each -> each.base().metadata().uid().equals(uid)
                        && each.base().metadata().resourceVersion().equals(version))
                .isPresent();
    }

    StoreResult<T> write(ClusterStore store) {
        return store.update(kind, change.orElseThrow());
    }

    /** As the page gets it. */
    Document shown() {
        return Document.of(Map.of(
                "objections",
                objections,
                "consequences",
                consequences,
                "changes",
                change.map(this::changes).orElse(List.of()),
                "command",
                command,
                "uid",
                change.map(each -> each.base().metadata().uid()).orElse(""),
                "version",
                change.map(each -> each.base().metadata().resourceVersion()).orElse("")));
    }

    // ---- which fields ----

    private List<String> changes(Change<T> each) {
        Document before = kind.write(each.base());
        Document patch = DocumentEdit.between(before, kind.write(each.edited())).asMergePatch(before);
        List<String> lines = new ArrayList<>();
        tell("", before.asMap(), patch.asMap(), lines);
        return lines;
    }

    private static void tell(String path, Map<?, ?> before, Map<?, ?> patch, List<String> lines) {
        for (Map.Entry<?, ?> field : patch.entrySet()) {
            Object old = before.get(field.getKey());
            Object now = field.getValue();
            String name = path.isEmpty() ? String.valueOf(field.getKey()) : path + "." + field.getKey();
            if (now instanceof Map<?, ?> deeper) {
                tell(name, old instanceof Map<?, ?> map ? map : Map.of(), deeper, lines);
            } else {
                lines.add(name + ": " + text(old) + " → " + text(now));
            }
        }
    }

    private static String text(@Nullable Object value) {
        if (value == null || value == JsonNull.NULL) {
            return "none";
        }
        if (value instanceof Map<?, ?> map && map.containsKey("name")) {
            return (map.containsKey("namespace") ? map.get("namespace") + "/" : "") + map.get("name");
        }
        String text = value instanceof Collection<?> list ? list.size() + " entries" : value.toString();
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
