// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the fields of one protocol buffer message one after the other; see protobuf.dev, "Encoding". Not thread-safe. */
final class WireWriter {
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A number; one below zero takes ten bytes, whatever its size. */
    void number(int field, long value) {
        varint((long) field << 3);
        varint(value);
    }

    void text(int field, String text) {
        bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes, or a message in its binary form. */
    void bytes(int field, byte[] bytes) {
        varint((long) field << 3 | BYTES);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    /** Bytes that are no field. */
    void plain(byte[] bytes) {
        out.writeBytes(bytes);
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.write((int) left);
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
