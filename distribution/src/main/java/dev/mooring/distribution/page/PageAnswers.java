// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.explain.FollowedCluster;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The answers to the page's requests. Thread-safe. */
final class PageAnswers {
    /** So many lines of those to look at stand on the first view; the lists have all. */
    private static final int FIRST_LINES = 50;

    private static final Map<String, Kind<?>> EXPLAINED =
            Explainer.kinds().stream().collect(Collectors.toMap(Kind::name, each -> each));

    /** A pod's claims beyond that are explained without events. */
    private static final int MOST_CLAIMS = 4;

    private final PageWorld world;
    private final PageMoments moments;
    /** Guarded by itself. */
    private final FollowedCluster explained;

    private final PageEventTexts eventTexts;
    private final PageActs acts;

    PageAnswers(PageWorld world, PageActs acts) {
        this.world = world;
        this.acts = acts;
        this.eventTexts = new PageEventTexts(world, TimeSource.system());
        this.moments = new PageMoments(world, TimeSource.system());
        this.explained = new Explainer(BinderOptions.DEFAULT, world.plugins()).following();
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
                : of(parameter, (moment, asked) -> PageAnswer.json(query.get().answer(moment, eventTexts::now)));
    }

    /** All objects in groups. */
    PageAnswer map(Function<String, String> parameter) {
        Optional<PageMap.By> by = PageMap.By.of(parameter.apply("by"));
        return by.isEmpty()
                ? PageAnswer.text(400, "by is class, namespace or node\n")
                : of(parameter, (moment, asked) -> PageAnswer.json(PageMap.of(moment, by.get())));
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

    /** Why an object is as it is. */
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
        ObjectKey key = kind.namespaced() ? ObjectKey.of(namespace, name) : ObjectKey.cluster(name);
        try {
            Optional<PageMoment> moment = moments.now();
            if (moment.isEmpty()) {
                return PageAnswer.text(503, "another process decides\n");
            }
            // The moment is there for all who look: a question costs the decider nothing.
            return explanation(moment.get(), kind, key)
                    .map(each -> PageAnswer.json(Document.of(Map.of("text", ExplanationText.of(each)))))
                    .orElseGet(() -> PageAnswer.text(404, "it does not exist any more\n"));
        } catch (PageMoments.Silence silence) {
            return PageAnswer.text(503, silence.getMessage() + "\n");
        }
    }

    private Optional<Explanation> explanation(PageMoment moment, Kind<?> kind, ObjectKey key) {
        List<KubernetesObject> told = told(moment, kind, key);
        synchronized (explained) {
            explained.show(moment.objects());
            return explained.explain(kind, key, told, world.clock().instant());
        }
    }

    /** What the controllers do not keep of an object that is explained: its events, and of a pod its text and its claims' events. */
    private List<KubernetesObject> told(PageMoment moment, Kind<?> kind, ObjectKey key) {
        List<KubernetesObject> told = new ArrayList<>();
        if (kind.equals(Kinds.POD)) {
            Optional<Pod> whole = world.reads().whole(Kinds.POD, key);
            whole.ifPresent(told::add);
            whole.or(() -> moment.relations().pod(key)).stream()
                    .flatMap(pod -> PageRelations.claimsOf(pod).stream())
                    .limit(MOST_CLAIMS)
                    .forEach(claim -> told.addAll(world.reads().events(Kinds.PERSISTENT_VOLUME_CLAIM.name(), claim)));
        }
        told.addAll(world.reads().events(kind.name(), key));
        return told;
    }
}
