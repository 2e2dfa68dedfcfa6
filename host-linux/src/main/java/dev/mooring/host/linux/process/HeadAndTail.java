// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import java.nio.charset.StandardCharsets;

/** Keeps the beginning and the end of what a tool writes, so that its amount is bounded. For one thread. */
public final class HeadAndTail {
    private static final String GAP = "\n[…]\n";

    private final byte[] head;
    private final byte[] tail;
    private long total;

    public HeadAndTail(int half) {
        this.head = new byte[half];
        this.tail = new byte[half];
    }

    public void add(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            if (total < head.length) {
                head[(int) total] = bytes[i];
            } else {
                tail[(int) ((total - head.length) % tail.length)] = bytes[i];
            }
            total++;
        }
    }

    @Override
    public String toString() {
        int inHead = (int) Math.min(total, head.length);
        String text = new String(head, 0, inHead, StandardCharsets.UTF_8);
        long beyond = total - inHead;
        if (beyond == 0) {
            return text;
        }
        if (beyond <= tail.length) {
            return text + new String(tail, 0, (int) beyond, StandardCharsets.UTF_8);
        }
        int start = (int) (beyond % tail.length);
        byte[] ordered = new byte[tail.length];
        System.arraycopy(tail, start, ordered, 0, tail.length - start);
        System.arraycopy(tail, 0, ordered, tail.length - start, start);
        return text + GAP + new String(ordered, StandardCharsets.UTF_8);
    }
}
