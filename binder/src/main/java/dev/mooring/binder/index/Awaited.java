// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import java.util.Optional;

/**
 * What a waiting claim can be helped by. Begin with {@link #NOTHING} and add, or with {@link #by}.
 *
 * @param freeVolume any free volume that fits what the claim asks for
 * @param volumeName the volume of this name, whatever it is like; empty if none
 * @param className the storage class of this name appearing or changing; empty if none
 * @param attributesClassName the class of attributes of this name appearing or changing; empty if none
 * @param defaultClass another class becoming the default one
 * @param node news of nodes, since one has been chosen for the claim
 */
public record Awaited(
        boolean freeVolume,
        String volumeName,
        String className,
        String attributesClassName,
        boolean defaultClass,
        boolean node) {
    /** Waits for nothing that this index knows. */
    public static final Awaited NOTHING = new Awaited(false, "", "", "", false, false);

    /**
     * What a claim waits for by what it says itself: the volume that it names; or else any free volume, its class, or, if it says
     * nothing about a class, a default one; and news of nodes if one has been chosen.
     */
    public static Awaited by(PersistentVolumeClaim claim) {
        if (!claim.spec().volumeName().isEmpty()) {
            return NOTHING.andVolume(claim.spec().volumeName());
        }
        Optional<String> className = StorageClasses.nameOf(claim);
        Awaited awaited = NOTHING.andFreeVolume();
        awaited = className.isPresent() ? awaited.andClass(className.get()) : awaited.andDefaultClass();
        return claim.metadata().annotation(Annotations.SELECTED_NODE).isPresent() ? awaited.andNode() : awaited;
    }

    /** And for a free volume that fits. */
    public Awaited andFreeVolume() {
        return new Awaited(true, volumeName, className, attributesClassName, defaultClass, node);
    }

    /** The same without waiting for free volumes, as of a claim whose class waits for the first consumer. */
    public Awaited withoutFreeVolume() {
        return new Awaited(false, volumeName, className, attributesClassName, defaultClass, node);
    }

    /** And for the volume of a name. */
    public Awaited andVolume(String name) {
        return new Awaited(freeVolume, name, className, attributesClassName, defaultClass, node);
    }

    /** And for the storage class of a name. */
    public Awaited andClass(String name) {
        return new Awaited(freeVolume, volumeName, name, attributesClassName, defaultClass, node);
    }

    /** And for the class of attributes of a name, as a claim for which storage shall be made with these attributes. */
    public Awaited andAttributesClass(String name) {
        return new Awaited(freeVolume, volumeName, className, name, defaultClass, node);
    }

    /** And for a default class. */
    public Awaited andDefaultClass() {
        return new Awaited(freeVolume, volumeName, className, attributesClassName, true, node);
    }

    /** And for news of nodes. */
    public Awaited andNode() {
        return new Awaited(freeVolume, volumeName, className, attributesClassName, defaultClass, true);
    }
}
