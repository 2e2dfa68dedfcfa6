// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The controllers of a loop, and which of them follows which kind. What one of them throws while it observes something is a defect that
 * the listener hears of, and stops no other controller. Confined to the decider.
 */
final class Controllers {
    private final Map<String, Controller> byName = new LinkedHashMap<>();
    private final Map<String, Set<Kind<?>>> kinds = new LinkedHashMap<>();
    private final Map<Kind<?>, List<Controller>> followers = new LinkedHashMap<>();
    private final LoopListener listener;

    Controllers(List<Controller> controllers, LoopListener listener) {
        this.listener = listener;
        for (Controller controller : controllers) {
            if (byName.put(controller.name(), controller) != null) {
                throw new IllegalArgumentException(
                        "two controllers are called " + controller.name() + "; each would undo what the other does");
            }
            Set<Kind<?>> its = new LinkedHashSet<>(controller.kinds());
            kinds.put(controller.name(), its);
            its.forEach(kind ->
                    followers.computeIfAbsent(kind, k -> new ArrayList<>()).add(controller));
        }
    }

    /** All, in the order in which they observe changes. */
    List<Controller> all() {
        return List.copyOf(byName.values());
    }

    Optional<Controller> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** What any of them follows, in the order in which they say so. */
    Set<Kind<?>> kinds() {
        return followers.keySet();
    }

    /** What is read of the objects of a kind by any of its followers. */
    FieldSelection reads(Kind<?> kind) {
        FieldSelection all = Caches.IDENTITY;
        for (Controller controller : followers.getOrDefault(kind, List.of())) {
            all = all.and(controller.reads(kind));
        }
        return all;
    }

    /** Which objects of a kind its followers need. */
    Interest interest(Kind<?> kind) {
        return followers.getOrDefault(kind, List.of()).stream()
                .map(controller -> controller.interest(kind))
                .reduce(Interest::and)
                .orElse(Interest.ALL);
    }

    Set<Kind<?>> kindsOf(Controller controller) {
        return kinds.getOrDefault(controller.name(), Set.of());
    }

    void started(Function<Controller, Mailbox> mailboxes) {
        for (Controller controller : byName.values()) {
            try {
                controller.started(mailboxes.apply(controller));
            } catch (Throwable defect) {
                tell(controller, new Key("controller", ObjectKey.cluster(controller.name())), defect);
            }
        }
    }

    /** Neither the cache nor the other controllers stop half-way. */
    void observe(ObjectChange<?> change, Function<Controller, Mailbox> mailboxes) {
        for (Controller controller : followers.getOrDefault(change.kind(), List.of())) {
            try {
                controller.observe(change, mailboxes.apply(controller));
            } catch (Throwable defect) {
                tell(controller, new Key(change.kind().name(), change.key()), defect);
            }
        }
    }

    void missing(ObjectName object, Function<Controller, Mailbox> mailboxes) {
        for (Controller controller : followers.getOrDefault(object.kind(), List.of())) {
            try {
                controller.missing(object, mailboxes.apply(controller));
            } catch (Throwable defect) {
                tell(controller, new Key(object.kind().name(), object.key()), defect);
            }
        }
    }

    /** The decision holds: effects that were registered but never started would hold up their key and targets for ever. */
    void applied(WorkItem item, Optional<KeyState> before, Mailbox mailbox) {
        try {
            item.controller.applied(item.key, before, item.state, mailbox);
        } catch (Throwable defect) {
            tell(item.controller, item.key, defect);
        }
    }

    /** A controller that cannot name the objects of a key has none for it. */
    List<Concern> concerns(WorkItem item, Caches caches) {
        try {
            return item.controller.concerns(item.key, caches);
        } catch (Throwable defect) {
            tell(item.controller, item.key, defect);
            return List.of();
        }
    }

    /** A key that its controller cannot rank is still decided. */
    Rank rank(WorkItem item) {
        try {
            return item.controller.rank(item.key);
        } catch (Throwable defect) {
            tell(item.controller, item.key, defect);
            return Rank.NORMAL;
        }
    }

    private void tell(Controller controller, Key key, Throwable defect) {
        Defects.throwTheMachines(defect);
        listener.onDefect(controller.name(), key, Defects.asException(defect));
    }
}
