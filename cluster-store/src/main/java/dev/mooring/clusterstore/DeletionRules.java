// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a delete request means for an object, as in Kubernetes' {@code BeforeDelete} and its strategy for pods. Pure functions. */
final class DeletionRules {
    private static final long DEFAULT_GRACE_SECONDS = 30;

    private DeletionRules() {}

    /** What is to be done. */
    sealed interface Verdict {
        <R> R match(Supplier<R> onNothing, Supplier<R> onRemove, Function<Document, R> onMark);
    }

    private record Nothing() implements Verdict {
        @Override
        public <R> R match(Supplier<R> onNothing, Supplier<R> onRemove, Function<Document, R> onMark) {
            return onNothing.get();
        }
    }

    private record Remove() implements Verdict {
        @Override
        public <R> R match(Supplier<R> onNothing, Supplier<R> onRemove, Function<Document, R> onMark) {
            return onRemove.get();
        }
    }

    private record Mark(Document marked) implements Verdict {
        @Override
        public <R> R match(Supplier<R> onNothing, Supplier<R> onRemove, Function<Document, R> onMark) {
            return onMark.apply(marked);
        }
    }

    static Verdict decide(Kind<?> kind, Document current, DeleteOptions options, Instant now) {
        return Fields.isDeleting(current) ? again(kind, current, options) : first(kind, current, options, now);
    }

    /** Whether a change lets an object go: it is deleting, has no grace left, and lost its last finalizer. */
    static boolean isOver(Document before, Document after) {
        boolean held = isHeld(before);
        return Fields.isDeleting(before)
                && !isHeld(after)
                && grace(after).map(seconds -> seconds == 0).orElse(held);
    }

    /** Besides the finalizers that every object may have, a namespace has some of its own. */
    private static boolean isHeld(Document object) {
        return !Fields.finalizers(object).isEmpty()
                || !(isNamespace(object) ? Fields.list(object, "spec", "finalizers") : List.of()).isEmpty();
    }

    private static boolean isNamespace(Document object) {
        return Fields.text(object, "kind").equals(Kinds.NAMESPACE.name())
                && Fields.text(object, "apiVersion").equals(Kinds.NAMESPACE.apiVersion());
    }

    private static Verdict first(Kind<?> kind, Document current, DeleteOptions options, Instant now) {
        long grace = kind == Kinds.POD ? podGrace(current, options) : 0;
        List<String> finalizers = finalizers(current, options);
        boolean namespace = kind == Kinds.NAMESPACE
                && !Fields.list(current, "spec", "finalizers").isEmpty();
        if (finalizers.isEmpty() && grace == 0 && !namespace) {
            return new Remove();
        }
        Document marked = withFinalizers(current, finalizers);
        marked = marked.with(Fields.timeText(now.plusSeconds(grace)), "metadata", "deletionTimestamp")
                .with(grace, "metadata", "deletionGracePeriodSeconds");
        if (namespace) {
            marked = marked.with("Terminating", "status", "phase");
        }
        return new Mark(
                Fields.isSet(current, "metadata", "generation")
                        ? ServerFields.nextGeneration(current, marked)
                        : marked);
    }

    /** Who must agree to a deletion: those that are there, and garbage collection as the request wants it. */
    private static List<String> finalizers(Document current, DeleteOptions options) {
        List<String> finalizers = new ArrayList<>(Fields.finalizers(current));
        finalizers.removeAll(List.of(Propagation.ORPHAN.finalizer(), Propagation.FOREGROUND.finalizer()));
        // In the background, dependents are found by their owner's absence.
        if (options.propagation() != Propagation.BACKGROUND) {
            finalizers.add(options.propagation().finalizer());
        }
        return finalizers;
    }

    private static Document withFinalizers(Document object, List<String> finalizers) {
        return finalizers.isEmpty()
                ? object.without("metadata", "finalizers")
                : object.with(finalizers, "metadata", "finalizers");
    }

    /** A pod: what the request says, else what the pod says; none if it does not run. */
    private static long podGrace(Document pod, DeleteOptions options) {
        String phase = Fields.text(pod, "status", "phase");
        boolean runs = !Fields.text(pod, "spec", "nodeName").isEmpty()
                && !phase.equals("Succeeded")
                && !phase.equals("Failed");
        if (!runs) {
            return 0;
        }
        long seconds = options.gracePeriodSeconds()
                .orElseGet(() -> Fields.integer(pod, "spec", "terminationGracePeriodSeconds")
                        .orElse(DEFAULT_GRACE_SECONDS));
        return seconds < 0 ? 1 : seconds;
    }

    /** It is deleting already: only a shorter grace means anything, and, when that is over, another wish for the dependents. */
    private static Verdict again(Kind<?> kind, Document current, DeleteOptions options) {
        Optional<Long> left = grace(current);
        boolean free = !isHeld(current);
        if (left.isEmpty() || left.get() == 0 || kind != Kinds.POD) {
            return free ? new Remove() : propagatedAnew(current, options);
        }
        Optional<Long> wanted = options.gracePeriodSeconds().map(seconds -> seconds < 0 ? 1 : seconds);
        if (wanted.isEmpty() || wanted.get() >= left.get()) {
            return new Nothing();
        }
        if (wanted.get() == 0 && free) {
            return new Remove();
        }
        Instant time = Fields.time(current, "metadata", "deletionTimestamp")
                .orElseThrow()
                .minusSeconds(left.get())
                .plusSeconds(wanted.get());
        return new Mark(current.with(Fields.timeText(time), "metadata", "deletionTimestamp")
                .with(wanted.get(), "metadata", "deletionGracePeriodSeconds"));
    }

    private static Verdict propagatedAnew(Document current, DeleteOptions options) {
        List<String> finalizers = finalizers(current, options);
        if (Set.copyOf(finalizers).equals(Set.copyOf(Fields.finalizers(current)))) {
            return new Nothing();
        }
        Document marked = withFinalizers(current, finalizers);
        return isHeld(marked) ? new Mark(marked) : new Remove();
    }

    private static Optional<Long> grace(Document object) {
        return Fields.integer(object, "metadata", "deletionGracePeriodSeconds");
    }
}
