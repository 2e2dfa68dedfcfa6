// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.cluster;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import java.util.List;
import java.util.Map;

/** Names of a cluster's objects that complete a word: of one page of a list, and none if that cannot be read. Thread-safe. */
public final class ObjectNames {
    /** The words by which objects are named. */
    public static final Map<String, Kind<?>> KINDS = Map.of(
            "pod", Kinds.POD,
            "pvc", Kinds.PERSISTENT_VOLUME_CLAIM,
            "pv", Kinds.PERSISTENT_VOLUME,
            "node", Kinds.NODE,
            "va", Kinds.VOLUME_ATTACHMENT,
            "sc", Kinds.STORAGE_CLASS);

    private static final int PAGE = 500;

    private final ClusterStore store;

    /** Reads from a store, which stays the caller's. */
    public ObjectNames(ClusterStore store) {
        this.store = store;
    }

    /**
     * What completes a word.
     *
     * @param command {@code explain}, or a command about a volume whose claim has gone
     * @param word what is there of it
     * @param namespace where claims and pods are looked for
     * @return whole words, in order
     */
    public List<String> of(String command, String word, String namespace) {
        int slash = word.indexOf('/');
        String kind = slash < 0 ? "pv" : word.substring(0, slash);
        String begun = word.substring(slash + 1);
        if (!KINDS.containsKey(kind)) {
            return List.of();
        }
        boolean anything = command.equals("explain");
        return page(KINDS.get(kind), namespace).stream()
                .filter(object -> anything || isLeft(object))
                .map(object -> object.metadata().name())
                .filter(name -> name.startsWith(begun))
                .map(name -> slash < 0 ? name : kind + "/" + name)
                .sorted()
                .toList();
    }

    private static boolean isLeft(KubernetesObject object) {
        return object instanceof PersistentVolume volume && volume.status().phase() != PersistentVolumePhase.BOUND;
    }

    private <T extends KubernetesObject> List<T> page(Kind<T> kind, String namespace) {
        ListOptions options =
                ListOptions.inNamespace(kind.namespaced() ? namespace : "").withLimit(PAGE);
        return store.list(kind, options).value().map(ObjectList::items).orElse(List.of());
    }
}
