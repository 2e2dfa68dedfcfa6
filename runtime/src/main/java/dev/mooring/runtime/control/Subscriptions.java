// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectCache;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Which lists and watches a loop needs: one for each kind that is followed as a whole or by a selector, and one for each object that is
 * needed where objects are followed one by one. An object is followed as long as one of its owners needs it. Confined to the decider.
 */
final class Subscriptions {
    /** Who needs an object: something of a controller, or the labels of the kind. */
    private record Owner(String controller, String what) {}

    private final Caches caches;
    private final Runnable onList;
    private final Consumer<ObjectName> onMissing;
    private final LoopListener failures;
    private final List<Shared<?>> shared = new ArrayList<>();
    private final Map<ObjectName, Single<?>> singles = new LinkedHashMap<>();
    private final Map<ObjectName, Set<Owner>> owners = new HashMap<>();
    private final Map<Owner, Set<ObjectName>> needs = new HashMap<>();
    private Optional<Subscription.Listener> listener = Optional.empty();
    private boolean settled;

    /**
     * For caches that nothing feeds yet.
     *
     * @param onList is run when a list was taken in or cannot be had: keys that waited for it may be ready
     * @param onMissing is told of an object that is followed on its own, and that its first list does not show
     * @param failures hears of lists and watches that fail
     */
    Subscriptions(Caches caches, Runnable onList, Consumer<ObjectName> onMissing, LoopListener failures) {
        this.caches = caches;
        this.onList = onList;
        this.onMissing = onMissing;
        this.failures = failures;
        caches.kinds().forEach(kind -> share(caches.of(kind)));
    }

    private <T extends KubernetesObject> void share(ObjectCache<T> cache) {
        Interest interest = cache.interest();
        if (!interest.oneByOne()) {
            shared.add(new Whole<>(cache));
        } else if (interest.labels().isPresent()) {
            shared.add(new Labelled<>(cache.kind(), interest.labels().get()));
        }
    }

    /** Has the listener told of all subscriptions, those there are and those to come. */
    void tell(Subscription.Listener told) {
        listener = Optional.of(told);
        shared.forEach(told::begin);
        List.copyOf(singles.values()).forEach(told::begin);
    }

    /** Replaces what something of a controller needs. What is followed as a whole need not be asked for. */
    void needs(String controller, String what, Set<ObjectName> needed) {
        needs(new Owner(controller, what), needed);
    }

    private void needs(Owner owner, Set<ObjectName> needed) {
        Set<ObjectName> now = new LinkedHashSet<>(needed);
        now.removeIf(name -> !caches.of(name.kind()).interest().oneByOne());
        Set<ObjectName> before = now.isEmpty() ? needs.remove(owner) : needs.put(owner, now);
        now.forEach(name -> add(owner, name));
        for (ObjectName name : before == null ? Set.<ObjectName>of() : before) {
            if (!now.contains(name)) {
                remove(owner, name);
            }
        }
    }

    private void add(Owner owner, ObjectName name) {
        owners.computeIfAbsent(name, first -> new LinkedHashSet<>()).add(owner);
        if (!singles.containsKey(name)) {
            begin(caches.of(name.kind()), name);
        }
    }

    private <T extends KubernetesObject> void begin(ObjectCache<T> cache, ObjectName name) {
        Single<T> single = new Single<>(cache, name);
        cache.follow(name.key());
        singles.put(name, single);
        listener.ifPresent(told -> told.begin(single));
    }

    private void remove(Owner owner, ObjectName name) {
        Set<Owner> left = owners.getOrDefault(name, new LinkedHashSet<>());
        left.remove(owner);
        Single<?> single = singles.get(name);
        if (!left.isEmpty() || single == null) {
            return;
        }
        owners.remove(name);
        singles.remove(name);
        listener.ifPresent(told -> told.end(single));
        // Controllers hear of it, and may need less then, or the same again.
        caches.of(name.kind()).release(name.key());
        settle();
    }

    /** Learns a list of a kind that is followed as a whole. */
    <T extends KubernetesObject> void listed(Kind<T> kind, List<T> objects, Revision revision) {
        for (Shared<?> each : shared) {
            if (each instanceof Whole<?> whole && whole.kind().equals(kind)) {
                each.listed = true;
            }
        }
        caches.of(kind).replace(objects, revision);
        settle();
    }

    /** Once everything that is needed at the start was listed, decisions are made; what is needed later holds up only what it concerns. */
    private void settle() {
        if (!settled
                && shared.stream().allMatch(each -> each.listed)
                && singles.values().stream().allMatch(each -> each.answered)) {
            settled = true;
            for (Kind<?> kind : caches.kinds()) {
                if (caches.of(kind).interest().oneByOne()) {
                    caches.of(kind).settle();
                }
            }
        }
        onList.run();
    }

    /** What many objects share. */
    private abstract static class Shared<T extends KubernetesObject> implements Subscription<T> {
        boolean listed;
    }

    /** All objects of a kind, or what a selector shows. */
    private final class Whole<T extends KubernetesObject> extends Shared<T> {
        private final ObjectCache<T> cache;

        Whole(ObjectCache<T> cache) {
            this.cache = cache;
        }

        @Override
        public Kind<T> kind() {
            return cache.kind();
        }

        @Override
        public ListOptions options() {
            return cache.interest().options().keeping(cache.kept());
        }

        @Override
        public void listed(List<T> objects, Revision revision) {
            Subscriptions.this.listed(kind(), objects, revision);
        }

        @Override
        public void heard(WatchEvent<T> event) {
            cache.heard(event);
        }

        @Override
        public void seen(Revision revision) {
            cache.seen(revision);
        }

        @Override
        public void failed(Failure reason, String message) {
            failures.onWatchFailure(kind(), reason, message);
        }
    }

    /** One object. A watch of its name shows it as long as it exists, so what it no longer shows has gone. */
    private final class Single<T extends KubernetesObject> implements Subscription<T> {
        private final ObjectCache<T> cache;
        private final ObjectName name;
        private boolean answered;

        Single(ObjectCache<T> cache, ObjectName name) {
            this.cache = cache;
            this.name = name;
        }

        private ObjectKey key() {
            return name.key();
        }

        private boolean isNeeded() {
            return singles.get(name) == this;
        }

        @Override
        public Kind<T> kind() {
            return cache.kind();
        }

        @Override
        public ListOptions options() {
            return ListOptions.inNamespace(key().namespace())
                    .withFields("metadata.name=" + key().name())
                    .keeping(cache.kept());
        }

        @Override
        public void listed(List<T> objects, Revision revision) {
            if (!isNeeded()) {
                return;
            }
            Optional<T> found = objects.stream()
                    .filter(object -> ObjectKey.of(object).equals(key()))
                    .findFirst();
            boolean first = !cache.knows(key());
            answered = true;
            cache.replace(key(), found, revision);
            if (first && found.isEmpty()) {
                onMissing.accept(name);
            }
            settle();
        }

        @Override
        public void heard(WatchEvent<T> event) {
            if (isNeeded() && ObjectKey.of(event.object()).equals(key())) {
                cache.heard(event);
            }
        }

        @Override
        public void seen(Revision revision) {
            if (isNeeded()) {
                cache.seen(key(), revision);
            }
        }

        /** What may not be read holds up those who need it, and not the start. */
        @Override
        public void failed(Failure reason, String message) {
            failures.onWatchFailure(kind(), reason, message);
            if (isNeeded() && !answered && (reason == Failure.FORBIDDEN || reason == Failure.INVALID)) {
                answered = true;
                settle();
            }
        }
    }

    /** Finds objects by their labels; each is then followed on its own, since one that loses its labels has not gone. */
    private final class Labelled<T extends KubernetesObject> extends Shared<T> {
        private final Kind<T> kind;
        private final LabelSelector labels;
        private final Owner owner;
        private final Set<ObjectKey> found = new TreeSet<>();

        Labelled(Kind<T> kind, LabelSelector labels) {
            this.kind = kind;
            this.labels = labels;
            this.owner = new Owner("", kind.name());
        }

        @Override
        public Kind<T> kind() {
            return kind;
        }

        @Override
        public ListOptions options() {
            return ListOptions.ALL.withLabels(labels).keeping(Caches.IDENTITY);
        }

        private void changed() {
            Set<ObjectName> names = new LinkedHashSet<>();
            found.forEach(key -> names.add(new ObjectName(kind, key)));
            needs(owner, names);
        }

        @Override
        public void listed(List<T> objects, Revision revision) {
            found.clear();
            objects.forEach(object -> found.add(ObjectKey.of(object)));
            changed();
            listed = true;
            settle();
        }

        @Override
        public void heard(WatchEvent<T> event) {
            ObjectKey key = ObjectKey.of(event.object());
            boolean changed = event.type() == WatchEvent.Type.DELETED ? found.remove(key) : found.add(key);
            if (changed) {
                changed();
            }
        }

        @Override
        public void seen(Revision revision) {
            // nothing is kept that a revision would outdate
        }

        @Override
        public void failed(Failure reason, String message) {
            failures.onWatchFailure(kind, reason, message);
        }
    }
}
