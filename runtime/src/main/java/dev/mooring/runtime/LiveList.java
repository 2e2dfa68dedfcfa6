// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One live list, read page by page for all who look for something in it. Each is answered as soon as the list has shown what it looks for,
 * and the list ends when all are. One thread carries it out, and blocks.
 */
final class LiveList<T extends KubernetesObject> {
    static final int PAGE = 500;

    private final Effect.FindLive<T> search;
    private final List<Question<T>> open = new ArrayList<>();

    private record Question<T>(Predicate<? super T> wanted, Consumer<StoreResult<Optional<T>>> answer) {}

    /**
     * Makes a list without questions.
     *
     * @param search says which kind is listed, and which part of it
     */
    LiveList(Effect.FindLive<T> search) {
        this.search = search;
    }

    /** Adds a question; before the list is carried out. */
    void ask(Predicate<? super T> wanted, Consumer<StoreResult<Optional<T>>> answer) {
        open.add(new Question<>(wanted, answer));
    }

    /** Answers all questions. Makes no request if there are no questions. */
    void carryOut(ClusterStore store) {
        try {
            read(store);
        } catch (Throwable defect) { // also a LinkageError: the waiting key has to get an answer
            answerAll(StoreResult.failed(Failure.UNKNOWN, "the store failed: " + defect));
        }
    }

    private void read(ClusterStore store) {
        ListOptions options = search.options().withLimit(PAGE);
        while (!open.isEmpty()) {
            StoreResult<ObjectList<T>> page = store.list(search.kind(), options);
            if (!options.continueToken().isEmpty() && page.failure().equals(Optional.of(Failure.GONE))) {
                // The history went while it was read: what a new list shows is of one time again.
                page = store.list(search.kind(), search.options());
            }
            String next = page.match(this::look, failed -> {
                answerAll(page(failed));
                return "";
            });
            if (next.isEmpty()) {
                answerAll(StoreResult.ok(Optional.empty()));
            }
            options = options.after(next);
        }
    }

    private StoreResult<Optional<T>> page(StoreResult.Failed<ObjectList<T>> failed) {
        return new StoreResult.Failed<>(failed.reason(), failed.message(), failed.retryAfter());
    }

    /** Answers those whose object is on a page; returns where the next page begins. */
    private String look(ObjectList<T> page) {
        open.removeIf(question -> answered(question, page.items()));
        return page.continueToken();
    }

    private boolean answered(Question<T> question, List<T> items) {
        Optional<T> found;
        try {
            found = items.stream().filter(question.wanted()).findFirst();
        } catch (RuntimeException defect) { // of the one who asks; the others wait for their answers too
            question.answer().accept(StoreResult.failed(Failure.UNKNOWN, "the question failed: " + defect));
            return true;
        }
        found.ifPresent(object -> question.answer().accept(StoreResult.ok(found)));
        return found.isPresent();
    }

    private void answerAll(StoreResult<Optional<T>> result) {
        open.forEach(question -> question.answer().accept(result));
        open.clear();
    }
}
