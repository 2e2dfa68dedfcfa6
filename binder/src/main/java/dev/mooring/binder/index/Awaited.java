// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a waiting claim can be helped by. Begin with {@link #NOTHING} and add, or with {@link #by}.
 *
 * @param freeVolume any free volume that fits what the claim asks for
 * @param volumeName the volume of this name, whatever it is like; empty if none
 * @param className the storage class of this name appearing or changing; empty if none
 * @param attributesClassName the class of attributes of this name appearing or changing; empty if none
 * @param defaultClass another class becoming the default one
 * @param nodeNames the nodes of these names appearing, changing or going, since they have been chosen for the claim
 * @param someNode a node on which its class allows new storage
 */
@WithBuilder
public record Awaited(
        boolean freeVolume,
        String volumeName,
        String className,
        String attributesClassName,
        boolean defaultClass,
        Set<String> nodeNames,
        boolean someNode)
        implements AwaitedBuilder.With {
    /** Waits for nothing that this index knows. */
    public static final Awaited NOTHING = AwaitedBuilder.builder()
            .volumeName("")
            .className("")
            .attributesClassName("")
            .nodeNames(Set.of())
            .build();

    /** Copies the set. */
    public Awaited {
        nodeNames = Set.copyOf(nodeNames);
    }

    /**
     * What a claim waits for by what it says itself: the volume that it names; or else any free volume, its class, or, if it says
     * nothing about a class, a default one; and the node that has been chosen for it, if one has.
     */
    public static Awaited by(PersistentVolumeClaim claim) {
        if (!claim.spec().volumeName().isEmpty()) {
            return NOTHING.andVolume(claim.spec().volumeName());
        }
        Optional<String> className = StorageClasses.nameOf(claim);
        Awaited awaited = NOTHING.andFreeVolume();
        awaited = className.isPresent() ? awaited.andClass(className.get()) : awaited.andDefaultClass();
        return claim.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .map(awaited::andNode)
                .orElse(awaited);
    }

    /** And for a free volume that fits. */
    public Awaited andFreeVolume() {
        return withFreeVolume(true);
    }

    /** The same without waiting for free volumes, as of a claim whose class waits for the first consumer. */
    public Awaited withoutFreeVolume() {
        return withFreeVolume(false);
    }

    /** And for the volume of a name. */
    public Awaited andVolume(String name) {
        return withVolumeName(name);
    }

    /** And for the storage class of a name. */
    public Awaited andClass(String name) {
        return withClassName(name);
    }

    /** And for the class of attributes of a name, as a claim for which storage is to be made with these attributes. */
    public Awaited andAttributesClass(String name) {
        return withAttributesClassName(name);
    }

    /** And for a default class. */
    public Awaited andDefaultClass() {
        return withDefaultClass(true);
    }

    /** And for changes of the node of a name. */
    public Awaited andNode(String name) {
        Set<String> names = new HashSet<>(nodeNames);
        names.add(name);
        return withNodeNames(names);
    }

    /** And for a node on which its class allows new storage. */
    public Awaited andSomeNode() {
        return withSomeNode(true);
    }
}
