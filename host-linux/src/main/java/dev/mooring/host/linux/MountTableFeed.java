// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountEvents;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apiguardian.api.API;

/**
 * The mount table of this process's namespace, kept up to date by the kernel's notifications (semantics/plugins §1.2). While one runs,
 * {@link LinuxHost#mounts()} answers from it: a question costs one cheap look at whether something has changed, and the table is read only if
 * so. While nothing is mounted or unmounted nothing wakes up and nothing is read. While much is, the thread that tells of changes reads a few
 * times a second, however many changes there are.
 *
 * <p>Mounts, unmounts and changes of a mount's own options are notified. A file system that turns read-only by itself, after an error, is
 * not; nor is a change of propagation.
 *
 * <p>Has one daemon thread, from {@link LinuxHost#followMounts} until {@link #close}. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MountTableFeed implements AutoCloseable {
    /**
     * From a change until the listeners hear of it. The kernel takes milliseconds to write a long table, and others of this process who ask
     * about one place need none of it.
     */
    static final Duration PAUSE = Duration.ofMillis(200);

    /** A version of the table. */
    private record Snapshot(long version, String text, MountTable table) {}

    private final MountTableReader reader;
    private final MountEvents forCallers;
    private final MountEvents forThread;
    private final Runnable onClose;
    private final Duration pause;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final KnownLines lines = new KnownLines();
    private Snapshot snapshot;
    private long announced;
    private long reads = 1;
    /** Whether a change was notified that could not be read, or may have come without notice. */
    private boolean missed;

    private boolean following = true;
    private boolean closed;

    private MountTableFeed(
            MountTableReader reader,
            MountEvents forCallers,
            MountEvents forThread,
            String first,
            Duration pause,
            Runnable onClose) {
        this.reader = reader;
        this.forCallers = forCallers;
        this.forThread = forThread;
        this.pause = pause;
        this.onClose = onClose;
        this.snapshot = new Snapshot(1, first, lines.parse(first));
        this.announced = 1;
        this.thread = new Thread(this::follow, "mooring-mounts");
        thread.setDaemon(true);
    }

    /**
     * Opens, reads once and starts the thread; in this order, so that no change is missed.
     *
     * @param onClose run once, when it is closed
     */
    static Outcome<MountTableFeed> start(Kernel kernel, MountTableReader reader, Runnable onClose) {
        return start(kernel, reader, PAUSE, onClose);
    }

    /**
     * The same with another pause.
     *
     * @param pause from a change until the listeners hear of it
     */
    static Outcome<MountTableFeed> start(Kernel kernel, MountTableReader reader, Duration pause, Runnable onClose) {
        return Guarded.look(() -> {
            MountEvents forCallers = new MountEvents(kernel);
            MountEvents forThread;
            try {
                forThread = new MountEvents(kernel);
            } catch (KernelException e) {
                forCallers.close();
                throw e;
            }
            Outcome<MountTableFeed> feed =
                    reader.read().map(text -> new MountTableFeed(reader, forCallers, forThread, text, pause, onClose));
            feed.result().ifPresentOrElse(started -> started.thread.start(), () -> {
                forCallers.close();
                forThread.close();
            });
            return feed;
        });
    }

    /**
     * The table as it is now.
     *
     * @return the table; uncertain if it has changed and could not be read
     */
    public synchronized Outcome<MountTable> table() {
        if (closed) {
            return Outcome.deferred("the mount table is not followed any more");
        }
        return Guarded.look(() -> {
            // asked for in any case: this reading sees a change that is notified now
            boolean changed = forCallers.changed() || missed;
            Outcome<String> now = changed ? reader.read() : Outcome.done(snapshot.text());
            missed = !now.isDone();
            reads += changed ? 1 : 0;
            return now.map(this::taken);
        });
    }

    /** The table, read again whether or not the kernel has notified: it does not when a directory above a mount is renamed. */
    synchronized Outcome<MountTable> reread() {
        missed = true;
        return table();
    }

    private synchronized MountTable taken(String text) {
        if (!text.equals(snapshot.text())) {
            snapshot = new Snapshot(snapshot.version() + 1, text, lines.parse(text));
        }
        return snapshot.table();
    }

    /** Counts the different tables that were seen, from 1. */
    public synchronized long version() {
        return snapshot.version();
    }

    /** Counts how often the whole table was read, from 1. */
    public synchronized long reads() {
        return reads;
    }

    /**
     * Registers for changes.
     *
     * @param action run by the feed's thread within a fraction of a second after one or more changes; it must not wait for anything
     */
    public void onChange(Runnable action) {
        listeners.add(action);
    }

    private void follow() {
        try {
            // what changes during the rest is seen by the same look
            while (forThread.await() && forThread.rest(pause)) {
                if (isNew(table())) {
                    listeners.forEach(this::tell);
                }
            }
        } catch (KernelException e) {
            // the kernel does not notify any more: from now on each caller reads the table itself
            onClose.run();
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        following = false;
        forThread.close();
    }

    private synchronized boolean isNew(Outcome<MountTable> seen) {
        boolean changed = seen.isDone() && snapshot.version() != announced;
        announced = snapshot.version();
        return changed;
    }

    private void tell(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            // one bad listener must not silence the others
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    /** Ends the thread. Closing twice is harmless. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (following) {
                forThread.stop();
            }
            forCallers.close();
        }
        onClose.run();
    }
}
