// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import org.apiguardian.api.API;

/**
 * News for people about an object; becomes an Event.
 *
 * @param kind the object's kind
 * @param object the object's name
 * @param uid the object's uid
 * @param warning whether it is a Warning; else Normal
 * @param reason in Kubernetes' words, such as {@code FailedBinding}
 * @param message for people; at most 1024 characters are kept; holds no secret
 * @param component who says it, such as {@code persistentvolume-controller}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Announcement(
        Kind<?> kind, ObjectKey object, String uid, boolean warning, String reason, String message, String component) {
    private static final int MESSAGE_LIMIT = 1024;

    /** Bounds the message. */
    public Announcement {
        if (message.length() > MESSAGE_LIMIT) {
            message = message.substring(0, MESSAGE_LIMIT - 1) + "…";
        }
    }

    /** Something to know. */
    public static Effect normal(
            Kind<?> kind, KubernetesObject object, String reason, String message, String component) {
        return new Effect.Announce(new Announcement(
                kind, ObjectKey.of(object), object.metadata().uid(), false, reason, message, component));
    }

    /** Something to act upon. */
    public static Effect warning(
            Kind<?> kind, KubernetesObject object, String reason, String message, String component) {
        return new Effect.Announce(new Announcement(
                kind, ObjectKey.of(object), object.metadata().uid(), true, reason, message, component));
    }

    /** {@code Warning} or {@code Normal}. */
    public String type() {
        return warning ? "Warning" : "Normal";
    }
}
