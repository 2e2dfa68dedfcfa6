// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.store.embedded.RecordDatabase.Line;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;

/**
 * The record log of a node in one SQLite file (semantics/attach-and-mount §7.3). It keeps the latest entry of each key and nothing of
 * what is gone, so it never needs compaction: its size follows what is mounted, not what ever was. On a full disk nothing new begins, and what
 * ends is recorded in room that is kept for it: else a pod that filled the disk could never go.
 *
 * <p>An answer {@link Outcome.Done} is given after the file system was told to make it durable. Appends that arrive while another one is
 * on its way to the disk go there together, in the order of their arrival: a hundred pods that start at once cost a few flushes, not
 * hundreds. One process at a time; thread-safe within it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EmbeddedRecordLog implements RecordLog, AutoCloseable {
    private final RecordDatabase database;
    private final ReentrantLock disk = new ReentrantLock();
    private final List<Waiting> waiting = new ArrayList<>();

    private EmbeddedRecordLog(RecordDatabase database) {
        this.database = database;
    }

    /** An append on its way. */
    private record Waiting(Line line, CompletableFuture<Outcome<Nothing>> answer) {}

    /**
     * Opens the log, or begins one if there is no file.
     *
     * @param file the file; its directory exists and belongs to this node alone
     * @return the log, to be closed by the caller
     * @throws UncheckedIOException if the file is damaged, is something else, comes from a newer version, or another process has it; the
     *     message names it. It is left as it is
     */
    public static EmbeddedRecordLog open(Path file) {
        return new EmbeddedRecordLog(RecordDatabase.open(file));
    }

    @Override
    public Outcome<Nothing> append(RecordEntry entry) {
        if (entry.phase() == RecordPhase.INTENT && !database.maySomethingBegin()) {
            return database.nothingMayBegin();
        }
        // In words before it waits with others: if there are none, it is this caller's defect alone.
        Waiting mine = new Waiting(Line.of(entry), new CompletableFuture<>());
        synchronized (waiting) {
            waiting.add(mine);
        }
        disk.lock();
        try {
            // A process that held the disk before may have removed this entry.
            if (!mine.answer().isDone()) {
                writeAll();
            }
        } finally {
            disk.unlock();
        }
        return mine.answer().join();
    }

    private void writeAll() {
        List<Waiting> batch;
        synchronized (waiting) {
            batch = List.copyOf(waiting);
            waiting.clear();
        }
        Outcome<Nothing> outcome = Outcome.uncertain("the node's record log failed");
        try {
            outcome = database.write(batch.stream().map(Waiting::line).toList());
            if (database.isFull()) {
                // The room that is kept for what ends may be too small for all of it at once.
                batch.forEach(each -> each.answer().complete(database.write(List.of(each.line()))));
            }
        } finally {
            Outcome<Nothing> answer = outcome;
            batch.forEach(each -> each.answer().complete(answer)); // also after a defect: a caller waits for each
        }
    }

    @Override
    public List<RecordEntry> replay() {
        disk.lock();
        try {
            return database.read();
        } finally {
            disk.unlock();
        }
    }

    /** Lets go of the file. An append that comes later is {@link Outcome.Deferred}. Closing twice is harmless. */
    @Override
    public void close() {
        disk.lock();
        try {
            database.close();
        } finally {
            disk.unlock();
        }
    }
}
