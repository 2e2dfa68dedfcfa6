// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;

/** What an object is like, in a few words. */
final class States {
    private States() {}

    static String of(PersistentVolume volume) {
        String claim = volume.spec()
                .claimRef()
                .map(ref -> ", claimed by " + ref.namespace() + "/" + ref.name())
                .orElse("");
        return volume.status().phase().wireName() + claim + deleting(volume.metadata());
    }

    static String of(PersistentVolumeClaim claim) {
        String volume = claim.spec().volumeName().isEmpty()
                ? ""
                : ", names " + claim.spec().volumeName();
        return claim.status().phase().wireName() + volume + deleting(claim.metadata());
    }

    static String of(Pod pod) {
        return pod.status().phase().wireName() + deleting(pod.metadata());
    }

    static String of(VolumeAttachment attachment) {
        String state = attachment.status().attached() ? "attached" : "not attached yet";
        return state + " to node " + attachment.spec().nodeName() + deleting(attachment.metadata());
    }

    private static String deleting(ObjectMeta metadata) {
        return metadata.isDeleting() ? ", being deleted" : "";
    }
}
