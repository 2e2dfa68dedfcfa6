// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What an informer or a watch has told, one line each, such as {@code added a} or {@code updated a}. */
final class InformedWorld<T extends HasMetadata> implements ResourceEventHandler<T> {
    private static final long LONGEST_SECONDS = 60;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Override
    public void onAdd(T added) {
        add("added", added);
    }

    @Override
    public void onUpdate(T before, T now) {
        add(isSame(before, now) ? "resynced" : "updated", now);
    }

    private static boolean isSame(HasMetadata before, HasMetadata now) {
        return before.getMetadata()
                .getResourceVersion()
                .equals(now.getMetadata().getResourceVersion());
    }

    @Override
    public void onDelete(T last, boolean unknown) {
        add("deleted", last);
    }

    void add(String what, HasMetadata object) {
        lines.add(what + " " + object.getMetadata().getName());
    }

    void add(String line) {
        lines.add(line);
    }

    /** Waits for a line; those before it are passed over. */
    void await(String wanted) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        StringBuilder heard = new StringBuilder();
        @Nullable String line = "";
        while (line != null && !line.equals(wanted)) {
            line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            heard.append(line).append('\n');
        }
        if (line == null) {
            throw new AssertionError("not heard: " + wanted + ", but:\n" + heard);
        }
    }
}
