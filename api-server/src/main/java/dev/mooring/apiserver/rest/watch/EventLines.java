// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.Representation.Encoding;
import dev.mooring.storage.document.Document;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;

/**
 * Makes lines of events: JSON with the end of a line, or protocol buffers behind their length. A thousand watches that show the same object share one line: the one that was made last is found again by the
 * object itself. Thread-safe.
 */
public final class EventLines {
    private static final int KEPT = 64;
    /** Longer lines are not kept: they would stay here when no watch needs them any more. */
    private static final int LARGEST = 64 << 10;

    /** What a watch of these lines is. */
    public static final String PROTOBUF_TYPE = ProtobufObjects.TYPE + ";stream=watch";

    private final Encoding encoding;
    private final AtomicReferenceArray<Made> made = new AtomicReferenceArray<>(KEPT);

    public EventLines(Encoding encoding) {
        this.encoding = encoding;
    }

    /** The content type of a stream of such lines. */
    public String contentType() {
        return encoding == Encoding.PROTOBUF ? PROTOBUF_TYPE : Answer.JSON_TYPE;
    }

    private static final class Made {
        private final String type;
        private final Document object;
        private final byte[] line;

        Made(String type, Document object, byte[] line) {
            this.type = type;
            this.object = object;
            this.line = line;
        }

        /** Equal objects would take as long to compare as a line takes to make. */
        @SuppressWarnings("ReferenceEquality")
        boolean is(String otherType, Document otherObject) {
            return object == otherObject && type.equals(otherType);
        }
    }

    /**
     * The line of an event that shows a whole object; callers must not change it.
     *
     * @param shown how clients see the object
     */
    byte[] line(String type, Document object, UnaryOperator<Document> shown) {
        int place = Math.floorMod(System.identityHashCode(object), KEPT);
        Made before = made.get(place);
        if (before != null && before.is(type, object)) {
            return before.line;
        }
        byte[] line = make(type, shown.apply(object));
        if (line.length <= LARGEST) {
            made.set(place, new Made(type, object, line));
        }
        return line;
    }

    /** A line that is not shared. */
    byte[] make(String type, Document object) {
        return make(encoding == Encoding.PROTOBUF, type, object);
    }

    /** The same for any watch. */
    static byte[] make(boolean isProtobuf, String type, Document object) {
        if (isProtobuf) {
            return ProtobufObjects.writeEvent(type, object)
                    .orElseThrow(() -> new IllegalStateException("there is no message for " + object.text("kind")));
        }
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put("object", object);
        byte[] bytes = Answer.bytes(Document.of(event));
        byte[] line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return line;
    }
}
