// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.mount.RecordedMounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Everything that is or may be mounted on this node, by the records: the fold of the log at the start, kept up to date by the states of
 * {@link PodVolumes} and {@link StagedVolumes}. An entry whose first append has not been confirmed yet is in it too, so that it never
 * says less than the log. Confined to the decider.
 */
public final class NodeRecords {
    private final NavigableMap<String, Publish> published = new TreeMap<>();
    private final Multimap<VolumeId, String> keysByVolume = new Multimap<>();
    private final Multimap<String, String> keysByName = new Multimap<>();
    private final Map<Path, String> publishedByPath = new HashMap<>();
    private final Map<Path, String> stagedByPath = new HashMap<>();
    private final Map<String, Stage> staged = new TreeMap<>();
    private final Map<String, Publish> replayedPublished = new TreeMap<>();
    private final Map<String, Stage> replayed = new TreeMap<>();
    private final List<Consumer<Publish>> publishListeners = new ArrayList<>();
    private final List<Consumer<Stage>> stageListeners = new ArrayList<>();

    public NodeRecords(Collection<? extends RecordEntry> entries) {
        for (RecordEntry entry : RecordLog.standing(entries).values()) {
            entry.<Optional<?>>match(
                    publish -> Optional.ofNullable(replayedPublished.put(publish.key(), publish)),
                    stage -> Optional.ofNullable(replayed.put(stage.key(), stage)));
        }
        replayedPublished.forEach((key, publish) ->
                put(key, PodVolumeState.of(Optional.of(publish)).standing()));
        replayed.values().forEach(stage -> {
            staged.put(stage.key(), StageState.of(Optional.of(stage)).standing().orElseThrow());
            stage.stagingPath().ifPresent(path -> stagedByPath.put(path, stage.key()));
        });
    }

    /** What is mounted for a pod at a path, by the records. */
    Optional<Publish> publishedAt(Path path) {
        return Optional.ofNullable(publishedByPath.get(path)).map(published::get);
    }

    /** What is prepared at a path, by the records. */
    Optional<Stage> stagedAt(Path path) {
        return Optional.ofNullable(stagedByPath.get(path)).map(staged::get);
    }

    /** Asks to be told of every volume of a pod whose entry came, went or changed. */
    void onPublish(Consumer<Publish> listener) {
        publishListeners.add(listener);
    }

    /** Asks to be told of every volume of the node whose entry came, went or changed; one that went is shown as GONE. */
    void onStage(Consumer<Stage> listener) {
        stageListeners.add(listener);
    }

    /** What is known of a pod's volume. */
    Optional<Publish> of(String podUid, String podVolume) {
        return Optional.ofNullable(published.get(Publish.key(podUid, podVolume)));
    }

    /** What the log said at the start of a pod's volume. */
    Optional<Publish> replayed(String podUid, String podVolume) {
        return Optional.ofNullable(replayedPublished.get(Publish.key(podUid, podVolume)));
    }

    /** What is known of a pod. */
    List<Publish> of(String podUid) {
        String prefix = Publish.key(podUid, "");
        return List.copyOf(
                published.subMap(prefix, prefix + Character.MAX_VALUE).values());
    }

    /** All volumes of pods; a live view in order of the keys. */
    public Collection<Publish> all() {
        return Collections.unmodifiableCollection(published.values());
    }

    /** Whether a pod has the volume, or may have. */
    boolean isPublished(VolumeId volume) {
        return keysByVolume.hasAny(volume);
    }

    /** Whether a pod has the volume of a name, or may have. */
    boolean isPublished(String volumeName) {
        return keysByName.hasAny(volumeName);
    }

    /** The pods' entries of a volume, in order of their keys. */
    List<Publish> published(VolumeId volume) {
        return keysByVolume.of(volume).stream()
                .map(key -> Objects.requireNonNull(published.get(key)))
                .toList();
    }

    /** The uids of the other pods that surely have got, in the boot of a record, the volume of it. */
    Set<String> holders(Publish record) {
        return published(record.volumeId()).stream()
                .filter(other -> other.phase() == RecordPhase.DONE
                        && other.bootId().equals(record.bootId())
                        && !other.pod().uid().equals(record.pod().uid()))
                .map(other -> other.pod().uid())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a pod other than this one has the volume, or may have. */
    boolean isPublishedForAnother(VolumeId volume, String podUid) {
        return keysByVolume.of(volume).stream()
                .map(published::get)
                .anyMatch(entry -> !Objects.requireNonNull(entry).pod().uid().equals(podUid));
    }

    /** What is known of a volume of the node. */
    Optional<Stage> stage(VolumeId volume) {
        return Optional.ofNullable(staged.get(Stage.key(volume)));
    }

    /** What the log said at the start of a volume of the node. */
    Optional<Stage> replayedStage(VolumeId volume) {
        return Optional.ofNullable(replayed.get(Stage.key(volume)));
    }

    /** All volumes of the node; a live view in order of the keys. */
    public Collection<Stage> stages() {
        return Collections.unmodifiableCollection(staged.values());
    }

    /** Learns what is known of a pod's volume now. */
    void learn(String podUid, String podVolume, Optional<Publish> known) {
        Optional<Publish> before = put(Publish.key(podUid, podVolume), known);
        if (!before.equals(known)) {
            Publish changed = known.or(() -> before).orElseThrow();
            publishListeners.forEach(listener -> listener.accept(changed));
        }
    }

    private Optional<Publish> put(String key, Optional<Publish> known) {
        Optional<Publish> before =
                Optional.ofNullable(known.isPresent() ? published.put(key, known.get()) : published.remove(key));
        before.ifPresent(entry -> {
            keysByVolume.remove(entry.volumeId(), key);
            keysByName.remove(entry.volume(), key);
            publishedByPath.remove(RecordedMounts.place(entry), key);
        });
        known.ifPresent(entry -> {
            keysByVolume.add(entry.volumeId(), key);
            keysByName.add(entry.volume(), key);
            publishedByPath.put(RecordedMounts.place(entry), key);
        });
        return before;
    }

    /** Learns what is known of a volume of the node now. */
    void learnStage(VolumeId volume, Optional<Stage> known) {
        String key = Stage.key(volume);
        Optional<Stage> before =
                Optional.ofNullable(known.isPresent() ? staged.put(key, known.get()) : staged.remove(key));
        before.flatMap(Stage::stagingPath).ifPresent(path -> stagedByPath.remove(path, key));
        known.flatMap(Stage::stagingPath).ifPresent(path -> stagedByPath.put(path, key));
        if (!before.equals(known)) {
            Stage changed = known.orElseGet(() -> before.orElseThrow().in(RecordPhase.GONE));
            stageListeners.forEach(listener -> listener.accept(changed));
        }
    }
}
