// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A simulated world as it is, whatever its controllers believe: the objects of its store at this moment, and what is really attached
 * and mounted. Confined to the world's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WorldView {
    /** How much virtual time has passed since the world began; never null. */
    Duration elapsed();

    /**
     * For how long the controllers and the agents of all machines that are up have run without a break, each following its watches; never
     * null. Zero while one of them does not.
     */
    Duration undisturbed();

    /**
     * All objects of a kind, in order of namespace and name; a live view, unmodifiable.
     *
     * @param kind one of those that storage needs: Event and Lease are not shown
     * @throws IllegalArgumentException if it is another kind
     */
    <T extends KubernetesObject> Collection<T> all(Kind<T> kind);

    /** An object. */
    <T extends KubernetesObject> Optional<T> find(Kind<T> kind, ObjectKey key);

    /** Whether there is a machine of that name, and it runs. */
    boolean isUp(String node);

    /** The nodes to which a volume is really attached, by the volume's name; a copy. */
    Set<String> attachedTo(String volume);

    /** The nodes on which a volume is really staged or published; a copy. */
    Set<String> mountedOn(String volume);

    /** Whether a volume is really staged on a node. */
    boolean stagedOn(String volume, String node);

    /** The uids of the pods to which a volume is really published on a node; a copy. */
    Set<String> publishedTo(String volume, String node);

    /** Names what is on the storage of a volume: another name once all of it has gone; 0 if nothing has happened to it. */
    long contentOf(String volume);

    /** Whether a back-end has answered that it had done something with this volume that it had not. */
    boolean liedAbout(String volume);

    /** Whether the call or write that is being shown is made by an instance of the controllers in whose place another leads. */
    boolean actsOutOfTerm();

    /** What is known of a volume that there is or was, as it was last. */
    Optional<PersistentVolume> everKnown(String volume);

    /** The volumes. */
    default Collection<PersistentVolume> volumes() {
        return all(Kinds.PERSISTENT_VOLUME);
    }

    /** The claims. */
    default Collection<PersistentVolumeClaim> claims() {
        return all(Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    /** The pods. */
    default Collection<Pod> pods() {
        return all(Kinds.POD);
    }

    /** The nodes. */
    default Collection<Node> nodes() {
        return all(Kinds.NODE);
    }

    /** The attachments. */
    default Collection<VolumeAttachment> attachments() {
        return all(Kinds.VOLUME_ATTACHMENT);
    }

    /** The classes. */
    default Collection<StorageClass> classes() {
        return all(Kinds.STORAGE_CLASS);
    }
}
