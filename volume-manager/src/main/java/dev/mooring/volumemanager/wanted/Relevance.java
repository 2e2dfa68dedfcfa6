// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a change means for those whose volumes it concerns: only one that may change the outcome of a call ends a back-off
 * (semantics/attach-and-mount §7.6). Pure.
 */
public enum Relevance {
    /** Nothing that this node reads. */
    NONE,
    /** Something to look at again, which makes no failed call more likely to succeed. */
    ECHO,
    /** What failed may succeed now. */
    RELEVANT;

    /** A pod: its place and volumes, and whether it ends. */
    public static Relevance ofPod(ObjectChange<Pod> change) {
        return of(
                change,
                ECHO,
                pod -> List.of(
                        pod.metadata().uid(),
                        pod.spec().nodeName(),
                        pod.spec().volumes(),
                        pod.metadata().isDeleting()));
    }

    /** A claim: all but its bookkeeping, and of its status only whether it is bound. */
    public static Relevance ofClaim(ObjectChange<PersistentVolumeClaim> change) {
        return of(
                change,
                ECHO,
                claim -> List.of(
                        claim.metadata().uid(),
                        claim.metadata().annotations(),
                        claim.spec(),
                        claim.status().phase(),
                        claim.metadata().isDeleting()));
    }

    /** A volume: all but its status. */
    public static Relevance ofVolume(ObjectChange<PersistentVolume> change) {
        return of(
                change,
                ECHO,
                volume -> List.of(volume.metadata().uid(), volume.metadata().annotations(), volume.spec()));
    }

    /** A driver: whether it wants its volumes attached, given to the pods' groups and mounted with a label, and whether it makes volumes for pods. */
    public static Relevance ofDriver(ObjectChange<CSIDriver> change) {
        return of(
                change,
                NONE,
                driver -> List.of(
                        driver.spec().attachRequired(),
                        driver.spec().fsGroupPolicy(),
                        driver.spec().volumeLifecycleModes(),
                        driver.spec().seLinuxMount()));
    }

    /** A Node: which one it is and where it stands; its volumes are looked at one by one, its heartbeats are ignored. */
    public static Relevance ofNode(ObjectChange<Node> change) {
        return of(
                change,
                NONE,
                node -> List.of(node.metadata().uid(), node.metadata().labels()));
    }

    private static <T extends KubernetesObject> Relevance of(
            ObjectChange<T> change, Relevance otherwise, Function<T, List<Object>> looked) {
        Optional<List<Object>> before = change.before().map(looked);
        if (before.equals(change.after().map(looked))) {
            return otherwise;
        }
        return change.origin() == Origin.WATCH ? RELEVANT : ECHO;
    }
}
