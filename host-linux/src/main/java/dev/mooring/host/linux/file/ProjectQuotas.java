// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.QuotaCalls;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Project quotas. What is made in a directory belongs to the directory's project, a number; the kernel counts per project. The directory
 * gets its number before the number gets its limit, so that after a crash in between the number is found where it is in use.
 */
public final class ProjectQuotas implements DirectoryQuotas {
    /** Of numbers that a key leads to: two keys that lead to one number are rare, two such pairs in a row are not seen. */
    private static final int NUMBERS = 4;

    private final Kernel kernel;
    private final QuotaCalls calls;
    /** A number that is free must not be taken by two directories at once. */
    private final Object choosing = new Object();

    public ProjectQuotas(Kernel kernel) {
        this.kernel = kernel;
        this.calls = new QuotaCalls(kernel);
    }

    @Override
    public Outcome<Long> limit(PinnedPath directory, String key, long bytes) {
        if (bytes <= 0) {
            return Outcome.refused(Refusal.INVALID, bytes + " bytes are no limit");
        }
        return opened(directory, opened -> {
            if (!calls.enforced(opened)) {
                return Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "the file system does not enforce project quotas: it has to be mounted with prjquota");
            }
            Outcome<Integer> number = numbered(opened, key);
            return number.isDone() ? raise(opened, number.result().orElseThrow(), bytes) : number.map(none -> 0L);
        });
    }

    @Override
    public Outcome<Nothing> lift(PinnedPath directory, String key) {
        return opened(directory, opened -> {
            int number = calls.project(opened);
            if (numbers(key).contains(number)) {
                calls.setLimit(opened, number, 0);
            }
            return Outcome.done();
        });
    }

    private interface Work<T> {
        Outcome<T> on(Descriptor directory) throws KernelException;
    }

    private <T> Outcome<T> opened(PinnedPath directory, Work<T> work) {
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(directory);
        if (held.isEmpty()) {
            return LinuxPinnedPath.foreign();
        }
        return Guarded.change(() -> {
            if (kernel.status(held.get()).kind() != FileKind.DIRECTORY) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "only a directory has a quota");
            }
            try (Descriptor opened = kernel.openDirectory(held.get())) {
                return work.on(opened);
            } catch (KernelException e) {
                return QuotaCalls.isMissing(e)
                        ? Outcome.refused(
                                Refusal.UNSUPPORTED, "the file system has no project quotas: " + e.getMessage())
                        : e.outcomeOfChange();
            }
        });
    }

    private Outcome<Integer> numbered(Descriptor directory, String key) throws KernelException {
        List<Integer> numbers = numbers(key);
        synchronized (choosing) {
            int number = calls.project(directory);
            if (numbers.contains(number)) {
                return Outcome.done(number);
            }
            if (!new DirectoryReader(kernel, directory).all(1).isEmpty()) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "the directory holds files that no quota counts yet");
            }
            for (int candidate : numbers) {
                if (calls.usage(directory, candidate).isUnused()) {
                    calls.setProject(directory, candidate);
                    kernel.flush(directory);
                    return Outcome.done(candidate);
                }
            }
        }
        return Outcome.refused(Refusal.EXHAUSTED, "the numbers " + numbers + " are projects of others");
    }

    private Outcome<Long> raise(Descriptor directory, int number, long bytes) throws KernelException {
        long there = calls.usage(directory, number).limit();
        if (there < bytes) {
            calls.setLimit(directory, number, bytes);
        }
        return Outcome.done(calls.usage(directory, number).limit());
    }

    /** The same at each call; 0 is the project of whatever has none, and numbers below 2^16 are those that people give by hand. */
    static List<Integer> numbers(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            ByteBuffer words = ByteBuffer.wrap(digest);
            return IntStream.range(0, NUMBERS)
                    .map(i -> (words.getInt() & Integer.MAX_VALUE) | 1 << 16)
                    .boxed()
                    .toList();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
