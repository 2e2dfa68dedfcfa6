// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/**
 * A message to people about an object; becomes an Event.
 *
 * @param kind the object's kind
 * @param object the object's name
 * @param uid the object's uid
 * @param warning whether it is a Warning; else Normal
 * @param reason in Kubernetes' words, such as {@code FailedBinding}
 * @param message for people; at most 1024 bytes in UTF-8 are kept; holds no secret
 * @param component who says it, such as {@code persistentvolume-controller}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Announcement(
        Kind<?> kind, ObjectKey object, String uid, boolean warning, String reason, String message, String component) {
    private static final int MESSAGE_LIMIT = 1024;
    private static final String ELLIPSIS = "…";

    /** Bounds the message. */
    public Announcement {
        message = kept(message);
    }

    /** Kubernetes counts bytes, and refuses the whole Event if there are more. */
    private static String kept(String message) {
        if (message.getBytes(StandardCharsets.UTF_8).length <= MESSAGE_LIMIT) {
            return message;
        }
        int left = MESSAGE_LIMIT - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        int end = 0;
        while (left >= 0) {
            int next = message.offsetByCodePoints(end, 1);
            left -= message.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            end = left >= 0 ? next : end;
        }
        return message.substring(0, end) + ELLIPSIS;
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
