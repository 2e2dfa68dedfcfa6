// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What the page is told when it asks. Thread-safe. */
final class PageAnswers {
    /** So many lines of those to look at stand on the first view; the lists have all. */
    private static final int FIRST_LINES = 50;

    /** What is explained by what the controllers keep; pods and nodes also need the texts of events, which they do not. */
    private static final Map<String, Kind<?>> EXPLAINED = Map.of(
            Kinds.PERSISTENT_VOLUME_CLAIM.name(), Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.PERSISTENT_VOLUME.name(), Kinds.PERSISTENT_VOLUME,
            Kinds.VOLUME_ATTACHMENT.name(), Kinds.VOLUME_ATTACHMENT);

    private final PageWorld world;
    private final PageMoments moments;
    private final Explainer explainer;
    private final PageActs acts;

    PageAnswers(PageWorld world, PageActs acts) {
        this.world = world;
        this.acts = acts;
        this.moments = new PageMoments(world, TimeSource.system());
        this.explainer = new Explainer(BinderOptions.DEFAULT, world.plugins());
    }

    /**
     * Answers a question about one moment; 204 if the asker has the answer, since nothing has changed.
     *
     * @param parameter by name; empty for one that is not given
     */
    private PageAnswer of(
            Function<String, String> parameter, BiFunction<PageMoment, Function<String, String>, PageAnswer> answer) {
        try {
            Optional<PageMoment> moment = moments.now();
            if (moment.isEmpty()) {
                return PageAnswer.json(Document.of(Map.of("deciding", false)));
            }
            if (moment.get().version().equals(parameter.apply("version"))) {
                return PageAnswer.text(PageAnswer.NO_CONTENT, "");
            }
            return answer.apply(moment.get(), parameter);
        } catch (PageMoments.Silence silence) {
            return PageAnswer.text(503, silence.getMessage() + "\n");
        }
    }

    /** How much there is of everything, and what has to be looked at. */
    PageAnswer state(Function<String, String> parameter) {
        return of(parameter, (moment, asked) -> PageAnswer.json(state(moment)));
    }

    private static Document state(PageMoment moment) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("deciding", true);
        fields.put("version", moment.version());
        fields.put("now", moment.takenAt().toString());
        Map<String, Object> kinds = new LinkedHashMap<>();
        List<PageRow> attention = new ArrayList<>();
        for (PageKind kind : PageKind.values()) {
            List<PageRow> rows = moment.rows(kind);
            Map<String, Object> counts = new LinkedHashMap<>();
            counts.put("count", (long) rows.size());
            if (kind != PageKind.NAMESPACES && kind != PageKind.CLASSES) {
                Map<String, Long> states = new TreeMap<>();
                rows.forEach(row -> states.merge(row.state(), 1L, Long::sum));
                counts.put("states", states);
                rows.stream().filter(PageRow::attention).forEach(attention::add);
            }
            counts.put("attention", rows.stream().filter(PageRow::attention).count());
            kinds.put(kind.wireName(), counts);
        }
        fields.put("kinds", kinds);
        fields.put("attention", (long) attention.size());
        PageCells cells = new PageCells(moment.relations());
        fields.put(
                "rows",
                attention.stream()
                        .sorted(Comparator.comparing(
                                        (PageRow row) -> row.since().isEmpty())
                                .thenComparing(row -> row.since().orElse(moment.takenAt()))
                                .thenComparing(PageRow::kind)
                                .thenComparing(PageRow::key))
                        .limit(FIRST_LINES)
                        .map(cells::of)
                        .toList());
        return Document.of(fields);
    }

    /** A part of a list. */
    PageAnswer list(Function<String, String> parameter) {
        Optional<PageQuery> query = PageQuery.of(parameter);
        return query.isEmpty()
                ? PageAnswer.text(400, "kind, offset and limit say which part of which list\n")
                : of(parameter, (moment, asked) -> PageAnswer.json(query.get().answer(moment)));
    }

    /** One object and what belongs to it. */
    PageAnswer object(Function<String, String> parameter) {
        Optional<PageKind> kind = PageKind.of(parameter.apply("kind"));
        if (kind.isEmpty()) {
            return PageAnswer.text(400, "kind, namespace and name say which object\n");
        }
        ObjectKey key = ObjectKey.of(parameter.apply("namespace"), parameter.apply("name"));
        return of(parameter, (moment, asked) -> {
            Optional<PageRow> row = moment.row(kind.get(), key);
            List<Object> life = LifeTelling.of(world, kind.get(), key, row);
            return row.isEmpty() && life.isEmpty()
                    ? PageAnswer.text(404, "it does not exist, or does not exist any more\n")
                    : PageAnswer.json(object(moment, row, life));
        });
    }

    private Document object(PageMoment moment, Optional<PageRow> row, List<Object> life) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("deciding", true);
        fields.put("version", moment.version());
        fields.put("now", moment.takenAt().toString());
        row.ifPresent(there -> {
            fields.put("row", new PageCells(moment.relations()).of(there));
            fields.put("labels", PageCells.labels(there));
            fields.put("graph", PageGraph.around(moment, there));
            fields.put("acts", acts.offered(moment.relations(), there));
        });
        fields.put("life", life);
        fields.put("begun", world.lifeLines().begun().toString());
        return Document.of(fields);
    }

    /** Why a claim, a volume or an attachment is as it is. */
    PageAnswer explain(Function<String, String> parameter) {
        String namespace = parameter.apply("namespace");
        String name = parameter.apply("name");
        String told = parameter.apply("kind");
        Kind<?> kind = told.isEmpty()
                ? (namespace.isEmpty() ? Kinds.PERSISTENT_VOLUME : Kinds.PERSISTENT_VOLUME_CLAIM)
                : EXPLAINED.get(told);
        if (kind == null) {
            return PageAnswer.text(400, "kind must be one of " + new TreeSet<>(EXPLAINED.keySet()) + "\n");
        }
        Optional<ControllerRuntime> deciding = world.deciding().get();
        if (deciding.isEmpty()) {
            return PageAnswer.text(503, "another process decides\n");
        }
        try {
            // The decider only hands over what it knows; a dry run among many objects takes long.
            List<KubernetesObject> objects =
                    deciding.get().ask(Snapshot::objectsOf).get(PageMoments.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            Snapshot snapshot = Snapshot.of(objects, world.clock().instant());
            Optional<Explanation> explanation = explainer.explain(
                    snapshot, kind, kind.namespaced() ? ObjectKey.of(namespace, name) : ObjectKey.cluster(name));
            return explanation
                    .map(each -> PageAnswer.json(Document.of(Map.of("text", ExplanationText.of(each)))))
                    .orElseGet(() -> PageAnswer.text(404, "it does not exist any more\n"));
        } catch (TimeoutException | ExecutionException e) {
            return PageAnswer.text(503, "the controllers do not answer\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return PageAnswer.text(503, "the process is being stopped\n");
        }
    }
}
