// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** What a watch sends, cut into lines, each an event in JSON. Confined to one thread at a time. */
final class WatchLines {
    private static final KubernetesJson JSON = KubernetesJson.withoutManagedFields();

    /** What an event has beside its object: its type, and what a server's {@code Status} says. */
    private static final FieldSelection EVENT = FieldSelection.of(
            "type",
            "object.metadata.resourceVersion",
            "object.code",
            "object.message",
            "object.reason",
            "object.details");

    private final ByteArrayOutputStream open = new ByteArrayOutputStream();

    /** Shows each line that is whole now. */
    void add(ByteBuffer bytes, Consumer<byte[]> each) {
        byte[] all = all(bytes);
        int begin = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == '\n') {
                open.write(all, begin, i - begin);
                begin = i + 1;
                byte[] line = open.toByteArray();
                open.reset();
                if (line.length > 0) {
                    each.accept(line);
                }
            }
        }
        open.write(all, begin, all.length - begin);
    }

    /** Keeps what is no event, as the body of a refusal. */
    void keep(ByteBuffer bytes) {
        open.writeBytes(all(bytes));
    }

    /** What was kept, or came after the last line. */
    byte[] rest() {
        return open.toByteArray();
    }

    private static byte[] all(ByteBuffer bytes) {
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        return all;
    }

    /** The fields that a reader of events needs, with these of the object. */
    static FieldSelection selection(FieldSelection kept) {
        return EVENT.and(kept.below("object"));
    }

    static Document read(byte[] line, Kind<?> kind, FieldSelection selection) {
        return JSON.read(line, "a watch of " + kind.plural(), selection);
    }
}
