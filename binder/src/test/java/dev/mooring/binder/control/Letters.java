// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a controller writes into its mailbox when it learns of a change, or when it has decided: {@code changed NAME} or {@code recheck
 * NAME}.
 */
public final class Letters implements Mailbox {
    private final List<String> letters = new ArrayList<>();

    private Letters() {}

    /** What it writes when it learns of a change that a watch shows. */
    public static <T extends KubernetesObject> List<String> of(
            Controller controller, Kind<T> kind, Optional<T> before, Optional<T> after) {
        return of(controller, kind, before, after, Origin.WATCH);
    }

    /** What it writes when it learns of a change. */
    public static <T extends KubernetesObject> List<String> of(
            Controller controller, Kind<T> kind, Optional<T> before, Optional<T> after, Origin origin) {
        Letters mailbox = new Letters();
        ObjectKey key = ObjectKey.of(after.or(() -> before).orElseThrow());
        controller.observe(new ObjectChange<>(kind, key, before, after, origin), mailbox);
        return mailbox.letters;
    }

    /** What a controller writes when a decision about a key has been applied. */
    public static List<String> applied(
            Controller controller, Key key, Optional<? extends KeyState> before, Optional<? extends KeyState> after) {
        Letters mailbox = new Letters();
        controller.applied(key, before.map(state -> state), after.map(state -> state), mailbox);
        return mailbox.letters;
    }

    @Override
    public void inputChanged(Key key) {
        letters.add("changed " + key.object().name());
    }

    @Override
    public void recheck(Key key) {
        letters.add("recheck " + key.object().name());
    }
}
