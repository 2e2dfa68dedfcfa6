// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes writes to the medium in groups: those that arrive while a group is on its way form the next one, so that many writers share
 * the cost of making their steps last. Each is decided on what the ones before it made, and no client is answered before the whole
 * group lasts. If the medium fails, the whole group fails, also those that were refused: what they were refused for may not be there. If
 * it throws what no medium should, all of the group are thrown that.
 */
final class WriteGroups {
    /** The most writes of a group, so that no client waits without end. */
    private static final int MOST = 512;

    private final DocumentEngine engine;
    private final Writes writes;
    private final DefinitionUpkeep upkeep;
    private final Consumer<Commit> publish;
    private final Queue<WaitingWrite> waiting = new ConcurrentLinkedQueue<>();
    private final List<Commit> steps = new ArrayList<>();

    WriteGroups(DocumentEngine engine, StoreOptions options, CustomKinds customs, Consumer<Commit> publish) {
        this.engine = engine;
        this.publish = publish;
        this.upkeep = new DefinitionUpkeep(engine, options.clock(), customs, this::commit);
        this.writes = new Writes(engine, options, customs, this::commit);
        if (options.kinds().all().contains(CustomResourceDefinition.KIND)) {
            upkeep.refresh();
        }
    }

    private void commit(Commit step) {
        engine.commit(step);
        steps.add(step);
        upkeep.after(step);
    }

    /** Queues a write; needs no lock. */
    void add(WaitingWrite write) {
        waiting.add(write);
    }

    /**
     * Carries out a queued write, if no other thread has, and those queued before it. Called under the store's write lock.
     *
     * @param attempt carries out one write and turns refusals into answers
     * @param answered hears of each write that was answered, in their order
     */
    void carryOut(WaitingWrite write, Attempt attempt, Consumer<WaitingWrite> answered) {
        while (!write.isAnswered()) {
            List<WaitingWrite> group = nextGroup();
            try {
                group.forEach(each -> carryOutOne(each, attempt));
                flush(group);
            } finally {
                steps.clear();
            }
            group.forEach(answered);
        }
    }

    private List<WaitingWrite> nextGroup() {
        List<WaitingWrite> group = new ArrayList<>();
        WaitingWrite next = waiting.poll();
        while (next != null) {
            group.add(next);
            next = group.size() < MOST ? waiting.poll() : null;
        }
        return group;
    }

    private void carryOutOne(WaitingWrite write, Attempt attempt) {
        try {
            write.answer(
                    attempt.run(write.request().kind(), () -> write.action().apply(writes)));
        } catch (RuntimeException | Error defect) {
            write.answer(defect);
        }
    }

    private void flush(List<WaitingWrite> group) {
        if (steps.isEmpty()) {
            return;
        }
        try {
            engine.flush();
        } catch (EngineException e) {
            StoreResult<Written> failure = failed(e);
            group.stream().filter(each -> !each.hasDefect()).forEach(each -> each.answer(failure));
            upkeep.refresh(); // what was defined meanwhile is not
            return;
        } catch (RuntimeException | Error defect) {
            group.forEach(each -> each.answer(defect));
            return;
        }
        steps.forEach(publish);
    }

    /** The answer to a client when the medium failed. */
    static <R> StoreResult<R> failed(EngineException e) {
        Failure failure = e.maybeApplied() ? Failure.UNKNOWN : Failure.UNAVAILABLE;
        return StoreResult.failed(failure, String.valueOf(e.getMessage()));
    }

    /** Carries out something for a kind and turns refusals into answers. */
    interface Attempt {
        <R> StoreResult<R> run(Kind<?> kind, Supplier<R> work);
    }
}
