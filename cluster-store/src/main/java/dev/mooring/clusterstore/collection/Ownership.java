// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.collection;

import dev.mooring.storage.model.OwnerReference;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** Which object owns which, kept up to date object by object. Not thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Ownership {
    private final Map<String, Member> byUid = new HashMap<>();
    private final Map<String, Map<String, Member>> dependents = new HashMap<>();

    /** Knows no object yet. */
    public Ownership() {}

    /** Learns an object, or its newest version. */
    public void put(Member object) {
        String uid = object.metadata().uid();
        remove(uid);
        byUid.put(uid, object);
        for (OwnerReference owner : object.metadata().ownerReferences()) {
            dependents
                    .computeIfAbsent(owner.uid(), each -> new LinkedHashMap<>())
                    .put(uid, object);
        }
    }

    /** Forgets an object. Does nothing if no object has that uid. */
    public void remove(String uid) {
        Member old = byUid.remove(uid);
        if (old == null) {
            return;
        }
        for (OwnerReference owner : old.metadata().ownerReferences()) {
            dependents.computeIfPresent(owner.uid(), (each, mine) -> {
                mine.remove(uid);
                return mine.isEmpty() ? null : mine;
            });
        }
    }

    /** The object of a uid. */
    public Optional<Member> member(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** The objects that name a uid among their owners; a live view, unmodifiable. */
    public Collection<Member> dependentsOf(String uid) {
        return Collections.unmodifiableCollection(
                dependents.getOrDefault(uid, Map.of()).values());
    }

    /** The known owner that a reference means: of that uid, name and kind, in the same namespace or in none. */
    public Optional<Member> owner(Member dependent, OwnerReference reference) {
        return member(reference.uid())
                .filter(owner -> owner.metadata().name().equals(reference.name())
                        && owner.kind().name().equals(reference.kind())
                        && (!owner.kind().namespaced()
                                || owner.metadata()
                                        .namespace()
                                        .equals(dependent.metadata().namespace())));
    }
}
