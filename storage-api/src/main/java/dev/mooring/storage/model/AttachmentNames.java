// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apiguardian.api.API;

/** Names of {@link VolumeAttachment} objects, as Kubernetes derives them, so that external attachers and agents find them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AttachmentNames {
    private AttachmentNames() {}

    /**
     * The name of an attachment: {@code csi-} and the SHA-256 of the three texts without separators (semantics/attach-and-mount §1.2).
     *
     * @param handle the volume as its driver calls it
     * @param attacher the driver, or the plugin's name
     * @param node the Node's name
     */
    public static String of(String handle, String attacher, String node) {
        return hash(handle + attacher + node);
    }

    /**
     * How the driver of a CSI volume that is written in a pod calls it: {@code csi-} and the SHA-256 of the two texts without a separator
     * (semantics/attach-and-mount §3.10).
     *
     * @param podUid the pod's uid
     * @param volume the volume's name in the pod
     */
    public static String inlineHandle(String podUid, String volume) {
        return hash(podUid + volume);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "csi-" + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
