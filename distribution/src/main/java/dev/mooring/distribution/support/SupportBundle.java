// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.support;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.explain.WaitingObjects;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Collects what a helper needs who cannot see the cluster. Only what the model knows of an object is taken, through {@link Redaction}; of
 * Secrets and ConfigMaps nothing but names and the names of their keys. A part that cannot be had is named in {@code missing.txt}, and the
 * others are there all the same. Confined to one thread.
 */
public final class SupportBundle {
    private static final Set<Kind<?>> BY_NAME_ONLY =
            Set.of(Kinds.SECRET, Kinds.CONFIG_MAP, Kinds.SERVICE_ACCOUNT, Kinds.NAMESPACE);

    private static final int MOST_EXPLAINED = 100;

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final List<String> missing = new ArrayList<>();

    /** A source of one text. */
    @FunctionalInterface
    public interface Source {
        /** The text, as it is; secrets are taken out of it later. */
        String read() throws IOException;
    }

    /** Adds a text. */
    public void add(String name, Source source) {
        try {
            texts.put(name, Redaction.of(source.read()));
        } catch (IOException | RuntimeException e) {
            missing(name, e);
        }
    }

    private void missing(String name, Exception why) {
        String reason = why instanceof IOException file ? FileFailures.text(file) : why.getMessage();
        missing.add(Redaction.of(name + ": " + reason));
    }

    /** Adds the objects of a cluster, and why those that wait do so. */
    public void addCluster(ClusterStore store, List<StoragePlugin> plugins, Instant now) {
        LiveCluster cluster = new LiveCluster(store);
        List<KubernetesObject> objects = new ArrayList<>();
        for (Kind<?> kind : Kinds.standard().all()) {
            try {
                List<? extends KubernetesObject> all = cluster.all(kind, "");
                objects.addAll(all);
                texts.put("objects/" + kind.plural() + ".json", list(kind, all));
            } catch (RuntimeException e) {
                missing("objects/" + kind.plural() + ".json", e);
            }
        }
        add("explanations.txt", () -> explanations(objects, plugins, now));
    }

    private static <T extends KubernetesObject> String list(Kind<T> kind, List<? extends KubernetesObject> objects) {
        List<Object> items = new ArrayList<>();
        objects.forEach(
                object -> items.add(shown(kind, kind.type().cast(object)).asMap()));
        return KubernetesJson.standard()
                        .writeIndented(Document.of(Map.of("apiVersion", "v1", "kind", "List", "items", items)))
                + "\n";
    }

    private static <T extends KubernetesObject> Document shown(Kind<T> kind, T object) {
        return BY_NAME_ONLY.contains(kind) ? names(kind, object) : Redaction.of(kind.write(object));
    }

    private static Document names(Kind<?> kind, KubernetesObject object) {
        ObjectMeta metadata = object.metadata();
        Set<String> keys = new TreeSet<>();
        if (object instanceof Secret secret) {
            keys.addAll(secret.data().keySet());
        } else if (object instanceof ConfigMap map) {
            keys.addAll(map.data().keySet());
            keys.addAll(map.binaryData().keySet());
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("apiVersion", kind.apiVersion());
        shown.put("kind", kind.name());
        shown.put(
                "metadata", Map.of("name", metadata.name(), "namespace", metadata.namespace(), "uid", metadata.uid()));
        shown.put("keys", List.copyOf(keys));
        return Document.of(shown);
    }

    private static String explanations(List<KubernetesObject> objects, List<StoragePlugin> plugins, Instant now) {
        Snapshot snapshot = Snapshot.of(objects, now);
        Explainer explainer = new Explainer(BinderOptions.DEFAULT, new PluginRegistry(plugins));
        WaitingObjects waiting = explainer.waiting(snapshot, "", MOST_EXPLAINED);
        return waiting.text() + "\n"
                + waiting.waiting().stream().map(ExplanationText::detailed).collect(Collectors.joining("\n"));
    }

    /**
     * Writes everything into a new file that only its owner can read: a page for browsers if its name ends in {@code .html}, else a tar.gz.
     *
     * @param top the heading, or the directory in the archive
     * @return what could not be had
     * @throws IOException if it cannot be written or is there already
     */
    public List<String> write(Path file, String top) throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        if (!missing.isEmpty()) {
            all.put("missing.txt", String.join("\n", missing) + "\n");
        }
        all.putAll(texts);
        Archive.write(file, top, all);
        return List.copyOf(missing);
    }
}
