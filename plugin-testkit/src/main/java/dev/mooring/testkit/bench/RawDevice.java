// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.testkit.host.MemoryHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * What a pod does with a raw device of a real machine.
 *
 * @param path its file
 */
public record RawDevice(Path path) {
    private static final String MARK = "written by the kit";

    /** The device that was mapped last; empty on a machine in memory, where nothing can be written to it. */
    public static Optional<RawDevice> of(VolumeLife life) {
        boolean real = !(life.bench().machine().host() instanceof MemoryHost);
        return life.device().filter(path -> real && Files.exists(path)).map(RawDevice::new);
    }

    /** Writes something, durably. */
    public void mark() {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.write(StandardCharsets.US_ASCII.encode(MARK), 0);
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether that can be read. */
    public boolean isMarked() {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer read = ByteBuffer.allocate(MARK.length());
            channel.read(read, 0);
            return StandardCharsets.US_ASCII.encode(MARK).equals(read.flip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
