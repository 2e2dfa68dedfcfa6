// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one protocol buffer message one after the other; see protobuf.dev, "Encoding". Not thread-safe. */
final class WireReader {
    private static final int LONGEST_NUMBER = 10;

    private final ByteBuffer in;
    private int field;
    private int form;

    WireReader(ByteBuffer in) {
        this.in = in;
    }

    /** Goes to the next field; false at the end. What the field holds must then be read or skipped. */
    boolean next() {
        if (!in.hasRemaining()) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        form = (int) (tag & 7);
        return true;
    }

    /** Whether anything is left. */
    boolean hasMore() {
        return in.hasRemaining();
    }

    /** Whether the field is a sequence of bytes. */
    boolean isBytes() {
        return form == 2;
    }

    int field() {
        return field;
    }

    long number() {
        require(0);
        return varint();
    }

    ByteBuffer bytes() {
        require(2);
        return take(varint());
    }

    String text() {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text is not UTF-8", e);
        }
    }

    void skip() {
        switch (form) {
            case 0 -> varint();
            case 1 -> take(8);
            case 2 -> take(varint());
            case 5 -> take(4);
            default -> throw new IllegalArgumentException("a field of an unknown form");
        }
    }

    private void require(int wanted) {
        if (form != wanted) {
            throw new IllegalArgumentException("field " + field + " has another form");
        }
    }

    private ByteBuffer take(long length) {
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("a field ends behind the end");
        }
        ByteBuffer part = in.slice().limit((int) length);
        in.position(in.position() + (int) length);
        return part;
    }

    /** A number that has no field of its own. */
    long varint() {
        long value = 0;
        for (int i = 0; i < LONGEST_NUMBER && in.hasRemaining(); i++) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number does not end");
    }
}
