// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The storage classes, and which of them is the default one, so that no claim searches for it. Confined to the decider. */
final class KnownClasses {
    private static final Comparator<StorageClass> NEWEST_THEN_NAME = Comparator.comparing(
                    (StorageClass c) -> c.metadata().creationTimestamp().orElse(Instant.EPOCH))
            .reversed()
            .thenComparing(c -> c.metadata().name());

    private final Map<String, StorageClass> byName = new HashMap<>();
    private final TreeSet<StorageClass> defaults = new TreeSet<>(NEWEST_THEN_NAME);

    /**
     * Learns of a change.
     *
     * @return what has changed for claims
     */
    Change update(String name, Optional<StorageClass> after) {
        Optional<String> defaultBefore = nameOfDefault();
        Optional<StorageClass> before = Optional.ofNullable(byName.remove(name));
        before.ifPresent(defaults::remove);
        after.ifPresent(now -> byName.put(name, now));
        after.filter(StorageClasses::isDefault).ifPresent(defaults::add);
        return new Change(
                !before.map(KnownClasses::meaning).equals(after.map(KnownClasses::meaning)),
                !defaultBefore.equals(nameOfDefault()));
    }

    /**
     * What a change of a class changes.
     *
     * @param meaning whether the class says something else to the claims that name it
     * @param defaultClass whether claims that name no class get another one now
     */
    record Change(boolean meaning, boolean defaultClass) {}

    /** All that a class says to a claim without a volume: neither labels nor whether a bound claim may grow. */
    private static StorageClass meaning(StorageClass storageClass) {
        return storageClass
                .withMetadata(ObjectMeta.named(storageClass.metadata().name()))
                .withAllowVolumeExpansion(Optional.empty());
    }

    Optional<StorageClass> byName(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The class for claims that name none: of several the newest, then by name (§1.3 U5). */
    Optional<StorageClass> defaultClass() {
        return defaults.isEmpty() ? Optional.empty() : Optional.of(defaults.first());
    }

    private Optional<String> nameOfDefault() {
        return defaultClass().map(found -> found.metadata().name());
    }
}
