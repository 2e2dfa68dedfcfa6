// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.resource.Resources;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says of objects what state they are in and what they wait for. Reads the store and changes nothing. Thread-safe. */
public final class Explanations {
    private static final int MOST_OBJECTS = 10;

    private final DocumentStore store;
    private final Explainer explainer;
    private final InstantSource clock;

    Explanations(DocumentStore store, PluginRegistry plugins, InstantSource clock) {
        this.store = store;
        this.explainer = new Explainer(BinderOptions.DEFAULT, plugins);
        this.clock = clock;
    }

    /**
     * Explains one object.
     *
     * @param subject {@code KIND/NAME}, the kind as kubectl takes it: {@code pvc}, {@code pods}, {@code StatefulSet}
     * @param namespace that of the object, if its kind has namespaces
     * @return lines of text, the last one ended too
     * @throws IllegalArgumentException if there is no such kind or object; the message lists what there is
     */
    public String of(String subject, String namespace) {
        int slash = subject.indexOf('/');
        if (slash < 1 || slash == subject.length() - 1) {
            throw new IllegalArgumentException("must be KIND/NAME, such as pvc/data, not '" + subject + "'");
        }
        Kind<?> kind = kind(subject.substring(0, slash));
        String name = subject.substring(slash + 1);
        ObjectKey key = kind.namespaced() ? ObjectKey.of(namespace, name) : ObjectKey.cluster(name);
        Document object =
                store.getDocument(kind, key).value().orElseThrow(() -> new IllegalArgumentException(absent(kind, key)));
        return of(kind, object);
    }

    private Kind<?> kind(String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        List<Resource> all = Resources.of(store.kinds()).all();
        return all.stream()
                .filter(each -> each.singular().equals(wanted)
                        || each.kind().plural().equals(wanted)
                        || each.shortNames().contains(wanted))
                .findFirst()
                .<Kind<?>>map(Resource::kind)
                .orElseThrow(() -> new IllegalArgumentException("there is no kind '" + word + "'; there are: "
                        + String.join(", ", all.stream().map(Resource::singular).toList())));
    }

    private String absent(Kind<?> kind, ObjectKey key) {
        List<String> names = objects(kind).stream().map(Explanations::title).toList();
        return "there is no " + kind.name() + " " + key
                + (names.isEmpty() ? ", and no other" : "; there are: " + String.join(", ", names));
    }

    private List<Document> objects(Kind<?> kind) {
        return store.listDocuments(kind).match(found -> List.copyOf(found.items()), failed -> List.of());
    }

    private String of(Kind<?> kind, Document object) {
        ObjectKey key = ObjectKey.of(
                object.text("metadata", "namespace").orElse(""),
                object.text("metadata", "name").orElse(""));
        Optional<String> volumes = Optional.empty();
        if (kind == Kinds.PERSISTENT_VOLUME_CLAIM) {
            volumes = explainer.claim(snapshot(), key).map(ExplanationText::of);
        } else if (kind == Kinds.PERSISTENT_VOLUME) {
            volumes = explainer.volume(snapshot(), key.name()).map(ExplanationText::of);
        }
        return volumes.orElseGet(() -> ObjectStates.text(kind, object)) + events(kind, key);
    }

    private Snapshot snapshot() {
        List<KubernetesObject> all = new ArrayList<>();
        for (Kind<?> kind : Kinds.standard().all()) {
            if (kind != Kinds.SECRET) {
                store.list(kind, ListOptions.ALL).value().ifPresent(found -> all.addAll(found.items()));
            }
        }
        return Snapshot.of(all, clock.instant());
    }

    private String events(Kind<?> kind, ObjectKey key) {
        return ObjectStates.events(objects(Kinds.EVENT).stream()
                .filter(event -> event.text("involvedObject", "kind").orElse("").equals(kind.name())
                        && event.text("involvedObject", "name").orElse("").equals(key.name())
                        && event.text("involvedObject", "namespace").orElse("").equals(key.namespace()))
                .toList());
    }

    /**
     * Explains all claims, volumes, pods and nodes that wait, and what is being deleted; empty if nothing is. At most ten.
     *
     * @param namespace of kinds that have namespaces, only the objects in this one
     */
    public String waiting(String namespace) {
        StringBuilder text = new StringBuilder();
        int more = 0;
        int shown = 0;
        for (Kind<?> kind : store.kinds().all()) {
            for (Document object : objects(kind)) {
                boolean elsewhere = kind.namespaced()
                        && !object.text("metadata", "namespace").orElse("").equals(namespace);
                if (elsewhere || !ObjectStates.waits(kind, object)) {
                    continue;
                }
                if (shown < MOST_OBJECTS) {
                    text.append(of(kind, object));
                    shown++;
                } else {
                    more++;
                }
            }
        }
        return more == 0
                ? text.toString()
                : text.append("and ").append(more).append(" more objects\n").toString();
    }

    private static String title(Document object) {
        String namespace = object.text("metadata", "namespace").orElse("");
        String name = object.text("metadata", "name").orElse("");
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
