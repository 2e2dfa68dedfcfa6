// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Information for people about a call that runs or succeeds; becomes an Event. A call that fails says why in its {@link Outcome}.
 *
 * <p>It is seen by users who may read the events of the object that the call is made for. That is the pod for publish, unpublish and
 * stage, the PersistentVolume for unstage and delete, the claim for provision, expand and modify, the VolumeAttachment or the waiting pods
 * for attach and detach, else the Node. So it holds no secret, and nothing of another namespace.
 *
 * <p>How often: the same notice about the same work becomes one event in ten minutes, however often it is reported and the call is
 * repeated. At most {@value #MOST_OF_ONE_WORK} different notices of the same work become events in that time; others are only logged.
 *
 * @param warning whether a person has to act; otherwise it is information
 * @param reason one word for machines, in CamelCase, such as {@code DirtyDataLost}; at most 128 letters and digits; never changes with time
 * @param message for people: what happened to which object, and what to do; never blank; events keep its first 1024 bytes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Notice(boolean warning, String reason, String message) {
    /** How many different notices of the same work become events in ten minutes. */
    public static final int MOST_OF_ONE_WORK = 20;

    private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,127}");

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if the reason is no word in CamelCase, or the message is blank
     */
    public Notice {
        if (!REASON.matcher(reason).matches()) {
            throw new IllegalArgumentException(
                    "the reason of a notice has to be one word in CamelCase, at most 128 letters and digits");
        }
        if (message.isBlank()) {
            throw new IllegalArgumentException("the message of notice " + reason + " must not be blank");
        }
    }

    /** Good to know. */
    public static Notice normal(String reason, String message) {
        return new Notice(false, reason, message);
    }

    /** A person has to act, or something was lost. */
    public static Notice warning(String reason, String message) {
        return new Notice(true, reason, message);
    }

    /** Reason and message. */
    @Override
    public String toString() {
        return reason + ": " + message;
    }
}
