// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.PluginName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The keys that a loop remembers, and those that wait until the kinds of their controller are synced. Confined to the decider. */
final class WorkItems {
    private final Map<Controller, Map<Key, WorkItem>> byController = new HashMap<>();
    private final Map<Controller, Set<WorkItem>> unsynced = new HashMap<>();

    WorkItems(List<Controller> controllers) {
        for (Controller controller : controllers) {
            byController.put(controller, new HashMap<>());
            unsynced.put(controller, new LinkedHashSet<>());
        }
    }

    /** The work item of a key, created if it does not exist. */
    WorkItem of(Controller controller, Key key) {
        return all(byController, controller).computeIfAbsent(key, k -> new WorkItem(controller, k));
    }

    Optional<WorkItem> known(Controller controller, Key key) {
        return Optional.ofNullable(all(byController, controller).get(key));
    }

    void forget(WorkItem item) {
        all(byController, item.controller).remove(item.key, item);
    }

    /** Those whose call of a plugin has failed and waits. */
    List<WorkItem> waitingFor(PluginName plugin) {
        return byController.values().stream()
                .flatMap(items -> items.values().stream())
                .filter(each -> each.backoffs.waitFor(plugin))
                .toList();
    }

    int count() {
        return byController.values().stream().mapToInt(Map::size).sum();
    }

    void awaitSync(WorkItem item) {
        all(unsynced, item.controller).add(item);
    }

    /** Takes out the items that waited for the kinds of a controller, in the order in which they came. */
    List<WorkItem> synced(Controller controller) {
        Set<WorkItem> waiting = all(unsynced, controller);
        List<WorkItem> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    private static <T> T all(Map<Controller, T> things, Controller controller) {
        T all = things.get(controller);
        if (all == null) {
            throw new IllegalArgumentException(controller.name() + " is not in this loop");
        }
        return all;
    }
}
