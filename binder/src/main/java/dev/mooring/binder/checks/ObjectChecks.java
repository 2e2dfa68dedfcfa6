// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rules that hold for claims and volumes alike. A store other than Kubernetes' own may hold what the API server would refuse; the binder
 * acts upon no such object, says what is wrong with it, and goes on with the others. Each check answers {@code field: rule}, or nothing.
 */
public final class ObjectChecks {
    private static final int NAME_LIMIT = 253;
    private static final int MODES_LIMIT = 64;
    private static final int SHOWN = 64;

    private ObjectChecks() {}

    static Optional<String> name(String field, String name) {
        return name.length() > NAME_LIMIT
                ? Optional.of(field + ": Too long: must be no more than " + NAME_LIMIT + " characters")
                : Optional.empty();
    }

    /** An amount that is missing is none (F4); one that is there is more than nothing. */
    static Optional<String> storage(String field, Map<String, Quantity> amounts) {
        Quantity storage = amounts.get("storage");
        return storage != null && storage.signum() <= 0
                ? Optional.of(field + "[storage]: Invalid value: \"" + storage + "\": must be greater than zero")
                : Optional.empty();
    }

    static Optional<String> tooManyModes(List<AccessMode> modes) {
        return modes.size() > MODES_LIMIT
                ? Optional.of(
                        "spec.accessModes: Too many: " + modes.size() + ": must have at most " + MODES_LIMIT + " items")
                : Optional.empty();
    }

    /** What to tell about an object: its kind, its name, what is wrong. */
    public static String news(String kind, KubernetesObject object, String problem) {
        String name = ObjectKey.of(object).toString();
        String shown = name.length() > SHOWN ? name.substring(0, SHOWN) + "…" : name;
        return kind + " \"" + shown + "\" is left alone: " + problem;
    }
}
