// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** JSON packed into an id, so that who has the id has no need of a record. Pure. */
final class PackedText {
    /** Of an id (semantics/csi §18.2). */
    private static final int MOST_BYTES = 128;
    /** Of what is packed; more is no id of ours. */
    private static final int LARGEST = 8192;

    /**
     * Words that are not written out again in each id. A part of the format: it stays as it is as long as ids begin with {@code m2-} or {@code s2-}.
     */
    private static final byte[] WORDS =
            ("{\"name\":\"volume\",\"type\":\"csi\",\"source\":{\"driver\":\"\",\"volumeHandle\":\"\",\"volumeAttributes\":{\"\"},"
                            + "\"capacity\":\"Mi\",\"mooring.dev/readOnly\":\"false\",\"fsType\":\"ext4\",\"mooring.dev/nfs-exclusive\":\"true\","
                            + "\"annotations\":{\"mooring.dev/capacity-enforced\":\"false\",\"mooring.dev/nfs-ledger\":\"pvc-\","
                            + "\"mooring.dev/nfs-share\":\"nfs.example.com:/srv/exports\",\"mooring.dev/on-delete\":\"archive\",\"delete\"}},"
                            + "\"type\":\"nfs\",\"source\":{\"path\":\"/\",\"server\":\"192.168.10.0\"},\"capacity\":\"10Gi\",{\"name\":\"pvc-")
                    .getBytes(StandardCharsets.UTF_8);

    /** Kubernetes names volumes by a uid, which has half the length when it is not written as text. */
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** In place of the uid; JSON has no such character. */
    private static final String UID_SIGN = "\u0001";

    private static final int UID_BYTES = 16;
    private static final byte WITHOUT_UID = 0;
    private static final byte WITH_UID = 1;

    private static final KubernetesJson JSON = KubernetesJson.standard();

    private PackedText() {}

    /**
     * The id that holds a document; empty if it would be too long.
     *
     * @param begin the version of the format
     */
    static Optional<String> pack(String begin, String document) {
        String json = document;
        Matcher found = UID.matcher(json);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        if (found.find()) {
            UUID uid = UUID.fromString(found.group());
            ByteBuffer bits = ByteBuffer.allocate(UID_BYTES);
            bits.putLong(uid.getMostSignificantBits()).putLong(uid.getLeastSignificantBits());
            packed.write(WITH_UID);
            packed.writeBytes(bits.array());
            json = json.replace(found.group(), UID_SIGN);
        } else {
            packed.write(WITHOUT_UID);
        }
        packed.writeBytes(deflated(json.getBytes(StandardCharsets.UTF_8)));
        String text = begin + Base64.getUrlEncoder().withoutPadding().encodeToString(packed.toByteArray());
        return text.length() <= MOST_BYTES ? Optional.of(text) : Optional.empty();
    }

    /** The document that an id holds; empty if it holds none. */
    static Optional<Document> unpack(String begin, String text) {
        if (!text.startsWith(begin) || text.length() > MOST_BYTES) {
            return Optional.empty();
        }
        try {
            ByteBuffer packed = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(begin.length())));
            boolean withUid = packed.get() == WITH_UID;
            String uid = withUid ? new UUID(packed.getLong(), packed.getLong()).toString() : "";
            byte[] rest = new byte[packed.remaining()];
            packed.get(rest);
            String json = new String(inflated(rest), StandardCharsets.UTF_8).replace(UID_SIGN, uid);
            return Optional.of(JSON.read(json, "id"));
        } catch (CodecException | IllegalArgumentException | DataFormatException | BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private static byte[] deflated(byte[] content) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setDictionary(WORDS);
            deflater.setInput(content);
            deflater.finish();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] part = new byte[LARGEST];
            while (!deflater.finished()) {
                all.write(part, 0, deflater.deflate(part));
            }
            return all.toByteArray();
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflated(byte[] packed) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setDictionary(WORDS);
            inflater.setInput(packed);
            byte[] content = new byte[LARGEST];
            int length = inflater.inflate(content);
            if (!inflater.finished() || inflater.getRemaining() > 0) {
                throw new DataFormatException("not one whole volume");
            }
            return Arrays.copyOf(content, length);
        } finally {
            inflater.end();
        }
    }
}
