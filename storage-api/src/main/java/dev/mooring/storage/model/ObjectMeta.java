// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What every object has.
 *
 * @param name name, unique within kind and namespace
 * @param generateName prefix of a name that the store generates
 * @param namespace namespace; empty for cluster-scoped kinds
 * @param uid identity over time
 * @param resourceVersion version of this state
 * @param generation counts changes of the spec
 * @param creationTimestamp when it was created
 * @param deletionTimestamp when its deletion was asked for, or will be carried out
 * @param deletionGracePeriodSeconds seconds of grace
 * @param labels labels in their order
 * @param annotations annotations in their order
 * @param finalizers who still has to do something before it may go
 * @param ownerReferences its owners
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record ObjectMeta(
        String name,
        String generateName,
        String namespace,
        String uid,
        String resourceVersion,
        long generation,
        Optional<Instant> creationTimestamp,
        Optional<Instant> deletionTimestamp,
        Optional<Long> deletionGracePeriodSeconds,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<String> finalizers,
        List<OwnerReference> ownerReferences)
        implements ObjectMetaBuilder.With {
    /** Nothing set. */
    public static final ObjectMeta EMPTY = new ObjectMeta(
            "",
            "",
            "",
            "",
            "",
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            List.of(),
            List.of());

    /** Copies lists and maps. */
    public ObjectMeta {
        labels = Copies.map(labels);
        annotations = Copies.map(annotations);
        finalizers = Copies.list(finalizers);
        ownerReferences = Copies.list(ownerReferences);
    }

    /** The metadata of a new object. */
    public static ObjectMeta named(String name) {
        return EMPTY.withName(name);
    }

    /** The metadata of a new object in a namespace. */
    public static ObjectMeta named(String namespace, String name) {
        return EMPTY.withName(name).withNamespace(namespace);
    }

    /** Whether its deletion was asked for. */
    public boolean isDeleting() {
        return deletionTimestamp.isPresent();
    }

    /** The value of an annotation. */
    public Optional<String> annotation(String key) {
        return Optional.ofNullable(annotations.get(key));
    }

    /** The same with an annotation. */
    public ObjectMeta withAnnotation(String key, String value) {
        Map<String, String> copy = new LinkedHashMap<>(annotations);
        copy.put(key, value);
        return withAnnotations(copy);
    }

    /** The same without an annotation. */
    public ObjectMeta withoutAnnotation(String key) {
        Map<String, String> copy = new LinkedHashMap<>(annotations);
        copy.remove(key);
        return withAnnotations(copy);
    }

    /** Whether a finalizer stands on it. */
    public boolean hasFinalizer(String finalizer) {
        return finalizers.contains(finalizer);
    }

    /** The same with a finalizer, once. */
    public ObjectMeta withFinalizer(String finalizer) {
        if (hasFinalizer(finalizer)) {
            return this;
        }
        List<String> copy = new ArrayList<>(finalizers);
        copy.add(finalizer);
        return withFinalizers(copy);
    }

    /** The same without a finalizer. */
    public ObjectMeta withoutFinalizer(String finalizer) {
        List<String> copy = new ArrayList<>(finalizers);
        copy.removeIf(finalizer::equals);
        return withFinalizers(copy);
    }
}
