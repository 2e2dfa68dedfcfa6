// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Live searches: those that look through the same objects share a list, as the claims of a namespace do that are deleted at once. A list
 * serves those who asked before it began, since it may have passed what came later; the others wait for the next one. Few lists are read at
 * once, so that other requests do not wait for them, and no heap is full of them. Thread-safe.
 */
final class LiveSearches {
    static final int LISTS_AT_ONCE = 2;

    private static final List<Bulkheads.Place> PLACE = List.of(new Bulkheads.Place("live lists", LISTS_AT_ONCE));

    private final ClusterStore store;
    private final Bulkheads bulkheads;
    /** Who waits for the next list; there is an entry while one is read or waits for its turn. */
    private final Map<Selection, List<Asked>> waiting = new HashMap<>();

    /** What is looked through. */
    private record Selection(Kind<?> kind, ListOptions options) {}

    /** One who asked. */
    private record Asked(Effect.FindLive<?> search, BooleanSupplier may, Consumer<StoreResult<?>> answer) {
        void refuse(String why) {
            answer.accept(StoreResult.failed(Failure.UNAVAILABLE, why));
        }
    }

    LiveSearches(ClusterStore store, Executor executor) {
        this.store = store;
        this.bulkheads = new Bulkheads(executor);
    }

    /**
     * Looks for something. Does not block, unless the executor does the work itself.
     *
     * @param may asked right before the list begins
     * @param answer given the result, by the thread that reads the list
     */
    void search(Effect.FindLive<?> search, BooleanSupplier may, Consumer<StoreResult<?>> answer) {
        Selection selection = new Selection(search.kind(), search.options());
        Asked asked = new Asked(search, may, answer);
        boolean first;
        synchronized (waiting) {
            first = !waiting.containsKey(selection);
            waiting.computeIfAbsent(selection, each -> new ArrayList<>()).add(asked);
        }
        if (first) {
            turn(selection);
        }
    }

    private void turn(Selection selection) {
        bulkheads.execute(
                PLACE,
                () -> list(selection),
                () -> take(selection, true).forEach(asked -> asked.refuse("the executor takes nothing")));
    }

    private void list(Selection selection) {
        List<Asked> batch = take(selection, false);
        batch.stream().filter(asked -> !asked.may().getAsBoolean()).forEach(asked -> asked.refuse("no longer leading"));
        List<Asked> asking =
                batch.stream().filter(asked -> asked.may().getAsBoolean()).toList();
        if (!asking.isEmpty()) {
            list(asking.get(0).search(), asking);
        }
        boolean more;
        synchronized (waiting) {
            more = !waiting.getOrDefault(selection, List.of()).isEmpty();
            if (!more) {
                waiting.remove(selection);
            }
        }
        if (more) {
            turn(selection);
        }
    }

    private <T extends KubernetesObject> void list(Effect.FindLive<T> first, List<Asked> asking) {
        LiveList<T> list = new LiveList<>(first);
        for (Asked asked : asking) {
            list.ask(
                    object -> wants(asked.search(), object),
                    result -> asked.answer().accept(result));
        }
        list.carryOut(store);
    }

    private static <T extends KubernetesObject> boolean wants(Effect.FindLive<T> search, KubernetesObject object) {
        return search.wanted().test(search.kind().type().cast(object));
    }

    private List<Asked> take(Selection selection, boolean forGood) {
        synchronized (waiting) {
            List<Asked> taken = forGood ? waiting.remove(selection) : waiting.put(selection, new ArrayList<>());
            return taken == null ? List.of() : taken;
        }
    }
}
