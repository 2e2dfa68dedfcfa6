// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Notice;
import org.apiguardian.api.API;

/**
 * An object that a key's work is done for. Its events say what the key's calls report ({@link Notice}), and what it waits for if it
 * waits longer than {@link Defaults#LONG_WAIT}.
 *
 * @param kind the object's kind
 * @param object the object's name
 * @param uid the object's uid
 * @param warning whether waiting is a Warning; else Normal, as where the user's own doing is waited for
 * @param reason the reason of the Event that says what it waits for, such as {@code FailedMount}
 * @param component who says it, such as {@code kubelet}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Concern(Kind<?> kind, ObjectKey object, String uid, boolean warning, String reason, String component) {
    /** An object for which waiting is a Warning. */
    public static Concern of(Kind<?> kind, KubernetesObject object, String reason, String component) {
        return new Concern(kind, ObjectKey.of(object), object.metadata().uid(), true, reason, component);
    }

    /** The same for an object whose user can end the wait, and knows. */
    public Concern asNormal() {
        return new Concern(kind, object, uid, false, reason, component);
    }

    /** The event about a wait. */
    Announcement waiting(String why) {
        return new Announcement(kind, object, uid, warning, reason, why, component);
    }

    /** The event about a notice of a call. */
    Announcement saying(Notice notice) {
        return new Announcement(kind, object, uid, notice.warning(), notice.reason(), notice.message(), component);
    }
}
