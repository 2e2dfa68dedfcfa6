// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Everything that is or may be mounted on this node, by the records: the fold of the log at the start, kept up to date by the states of
 * {@link PodVolumes}. An entry whose first append has not been confirmed yet is in it too, so that it never says less than the log.
 * Confined to the decider.
 */
final class NodeRecords {
    private final Map<String, Publish> standing = new TreeMap<>();
    private final List<Consumer<Publish>> listeners = new ArrayList<>();

    NodeRecords(Collection<? extends RecordEntry> replayed) {
        for (RecordEntry entry : RecordLog.standing(replayed).values()) {
            Publish publish = entry.match(found -> found);
            standing.put(publish.key(), publish);
        }
    }

    /** Asks to be told of every entry that came, went or changed. */
    void onChange(Consumer<Publish> listener) {
        listeners.add(listener);
    }

    /** What is known of a pod's volume. */
    Optional<Publish> of(String podUid, String podVolume) {
        return Optional.ofNullable(standing.get(Publish.key(podUid, podVolume)));
    }

    /** What is known of a pod. */
    List<Publish> of(String podUid) {
        return standing.values().stream()
                .filter(entry -> entry.pod().uid().equals(podUid))
                .toList();
    }

    /** Everything; a live view in order of the keys. */
    Collection<Publish> all() {
        return Collections.unmodifiableCollection(standing.values());
    }

    /** Learns what is known of a pod's volume now. */
    void learn(String podUid, String podVolume, Optional<Publish> known) {
        String key = Publish.key(podUid, podVolume);
        Publish before = known.isPresent() ? standing.put(key, known.get()) : standing.remove(key);
        if (!Optional.ofNullable(before).equals(known)) {
            Publish changed = known.orElse(before);
            listeners.forEach(listener -> listener.accept(java.util.Objects.requireNonNull(changed)));
        }
    }
}
