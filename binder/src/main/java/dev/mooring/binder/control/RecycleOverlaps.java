// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Whether another volume or pod has storage that is, contains or lies in the storage of a volume that is to be emptied (semantics/plugins
 * §2.8 R2). Each source is identified once, when it is seen first; the answer takes as long as there are overlaps, not volumes. Confined to
 * the decider.
 *
 * <pre>
 *   /srv         volume a     ← contains /srv/data
 *   /srv/data    volume b
 *   /srv/data/x  a volume of pod default/web     ← lies in /srv/data
 * </pre>
 */
final class RecycleOverlaps {
    private static final String SEPARATOR = "/";
    private static final String VOLUME = "volume ";

    private final PluginRegistry plugins;
    private final Map<String, List<VolumeId>> byUser = new HashMap<>();

    /** Users by name of the storage, by what names can be compared with. */
    private final Map<String, TreeMap<String, Set<String>>> spaces = new HashMap<>();

    RecycleOverlaps(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    // ---- who uses what ----

    void volume(ObjectChange<PersistentVolume> change) {
        update(
                user(change.key().name()),
                change.before().map(volume -> volume.spec().source().stream().toList()),
                change.after().map(volume -> volume.spec().source().stream().toList()));
    }

    void pod(ObjectChange<Pod> change) {
        String user = "a volume of pod " + change.key().namespace() + "/"
                + change.key().name();
        update(
                user,
                change.before().map(RecycleOverlaps::sourcesOf),
                change.after().map(RecycleOverlaps::sourcesOf));
    }

    private static String user(String volume) {
        return VOLUME + volume;
    }

    private static List<VolumeSource> sourcesOf(Pod pod) {
        return pod.status().phase().isTerminal()
                ? List.of()
                : pod.spec().volumes().stream()
                        .flatMap(volume -> volume.source().stream())
                        .toList();
    }

    private void update(String user, Optional<List<VolumeSource>> before, Optional<List<VolumeSource>> after) {
        if (before.isPresent() && before.equals(after)) {
            return;
        }
        List<VolumeId> gone = byUser.remove(user);
        if (gone != null) {
            gone.forEach(id -> remove(id, user));
        }
        List<VolumeId> ids = after.orElse(List.of()).stream()
                .flatMap(source -> plugins.identify(source).stream())
                .distinct()
                .toList();
        if (!ids.isEmpty()) {
            byUser.put(user, ids);
            ids.forEach(id -> spaces.computeIfAbsent(space(id), first -> new TreeMap<>())
                    .computeIfAbsent(id.backend(), first -> new TreeSet<>())
                    .add(user));
        }
    }

    private void remove(VolumeId id, String user) {
        spaces.computeIfPresent(space(id), (same, names) -> {
            names.computeIfPresent(id.backend(), (name, users) -> {
                users.remove(user);
                return users.isEmpty() ? null : users;
            });
            return names.isEmpty() ? null : names;
        });
    }

    /** Paths of the node are compared whichever plugin's they are, other names within one plugin. */
    private static String space(VolumeId id) {
        return id.backend().startsWith(SEPARATOR) ? SEPARATOR : id.plugin().value();
    }

    // ---- who overlaps ----

    /** Who it is, for people, the first by name; empty if no volume and no pod. */
    Optional<String> of(PersistentVolume volume) {
        String itself = user(volume.metadata().name());
        return volume.spec().source().flatMap(plugins::identify).flatMap(id -> {
            TreeMap<String, Set<String>> names = spaces.getOrDefault(space(id), new TreeMap<>());
            TreeSet<String> found = new TreeSet<>();
            Stream.concat(containing(names, id.backend()), within(names, id.backend()))
                    .forEach(users -> firstBut(users, itself, found));
            return found.stream().findFirst();
        });
    }

    /**
     * The same for what a node empties or destroys, which sees no volumes of others: another volume that may be used there.
     *
     * @param labels the node's labels; empty if they are not known, then every volume may be
     */
    Optional<String> volumeOn(PersistentVolume volume, Map<String, String> labels, Caches caches) {
        Optional<VolumeId> id = volume.spec().source().flatMap(plugins::identify);
        String itself = user(volume.metadata().name());
        return id.flatMap(own -> {
            TreeMap<String, Set<String>> names = spaces.getOrDefault(space(own), new TreeMap<>());
            return Stream.concat(containing(names, own.backend()), within(names, own.backend()))
                    .flatMap(users -> users.stream())
                    .filter(user -> user.startsWith(VOLUME) && !user.equals(itself))
                    .filter(user -> caches.get(
                                    Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(user.substring(VOLUME.length())))
                            .filter(other -> mayBeUsed(other, labels) && overlaps(own, other))
                            .isPresent())
                    .min(Comparator.naturalOrder());
        });
    }

    private static boolean mayBeUsed(PersistentVolume volume, Map<String, String> labels) {
        return volume.spec()
                .nodeAffinity()
                .map(affinity -> labels.isEmpty() || affinity.matches(labels))
                .orElse(true);
    }

    private boolean overlaps(VolumeId own, PersistentVolume other) {
        return other.spec()
                .source()
                .flatMap(plugins::identify)
                .filter(own::overlaps)
                .isPresent();
    }

    private static void firstBut(Set<String> users, String itself, Set<String> found) {
        users.stream().filter(user -> !user.equals(itself)).findFirst().ifPresent(found::add);
    }

    /** The users of the storage itself and of what contains it: its name cut off at each separator, before and behind it. */
    private static Stream<Set<String>> containing(Map<String, Set<String>> names, String name) {
        Stream.Builder<Set<String>> found = Stream.builder();
        for (int at = name.indexOf(SEPARATOR); at >= 0; at = name.indexOf(SEPARATOR, at + 1)) {
            found.add(names.getOrDefault(name.substring(0, at), Set.of()));
            if (at + 1 < name.length()) {
                found.add(names.getOrDefault(name.substring(0, at + 1), Set.of()));
            }
        }
        return found.add(names.getOrDefault(name, Set.of())).build();
    }

    private static Stream<Set<String>> within(SortedMap<String, Set<String>> names, String name) {
        String from = name.endsWith(SEPARATOR) ? name : name + SEPARATOR;
        return names.subMap(from, from + Character.MAX_VALUE).values().stream();
    }
}
