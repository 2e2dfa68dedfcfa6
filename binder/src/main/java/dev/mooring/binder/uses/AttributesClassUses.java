// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Which volumes and claims name a VolumeAttributesClass (semantics/binder §3.3). Confined to the decider. */
public final class AttributesClassUses {
    private final Multimap<String, String> byClass = new Multimap<>();

    /**
     * Learns of a change.
     *
     * @param user the volume or claim
     * @param before the classes that it named
     * @param after the classes that it names
     */
    public void update(String user, Set<String> before, Set<String> after) {
        for (String name : before) {
            byClass.remove(name, user);
        }
        for (String name : after) {
            byClass.add(name, user);
        }
    }

    /** Whether any claim or volume names a class. */
    public boolean any(String name) {
        return byClass.hasAny(name);
    }

    /** The classes that an object names: a claim the one it wants, the one it has and the one it is being given. */
    public static Set<String> named(KubernetesObject object) {
        Set<String> names = new HashSet<>();
        if (object instanceof PersistentVolume volume) {
            add(names, volume.spec().volumeAttributesClassName());
        } else if (object instanceof PersistentVolumeClaim claim) {
            add(names, claim.spec().volumeAttributesClassName());
            add(names, claim.status().currentVolumeAttributesClassName());
            add(names, claim.status().modifyVolumeStatus().map(ModifyVolumeStatus::targetVolumeAttributesClassName));
        }
        return names;
    }

    private static void add(Set<String> names, Optional<String> name) {
        name.filter(text -> !text.isEmpty()).ifPresent(names::add);
    }
}
