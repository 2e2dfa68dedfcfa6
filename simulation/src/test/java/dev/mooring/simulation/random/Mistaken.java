// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Looks at devices that are mistaken. */
final class Mistaken {
    /** What the tool that looks for signatures says of a blank device. */
    static final CommandResult NOTHING = new CommandResult(Ending.EXITED, 2, "", "");

    /** Where {@code s_mnt_count} is, of 16 bits. */
    private static final int EXT_MOUNTS = 1024 + 0x34;

    private Mistaken() {}

    /** The first bytes of a device, in which the superblock of an ext4 counts no mounts. */
    static byte[] neverMounted(byte[] head) {
        byte[] mistaken = head.clone();
        if (mistaken.length > EXT_MOUNTS + 1) {
            mistaken[EXT_MOUNTS] = 0;
            mistaken[EXT_MOUNTS + 1] = 0;
        }
        return mistaken;
    }

    /** What is read of them is not what it is. */
    record Devices(BlockDevices real, UnaryOperator<Outcome<Boolean>> mistake) implements BlockDevices {
        @Override
        public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
            return mistake.apply(real.isZero(context, device, offset, length));
        }

        @Override
        public Outcome<BlockDevice> find(Path path) {
            return real.find(path);
        }

        @Override
        public Outcome<BlockDevice> named(String name) {
            return real.named(name);
        }

        @Override
        public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
            return real.users(context, device);
        }

        @Override
        public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
            return real.flush(context, device);
        }

        @Override
        public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
            return real.setReadOnly(context, device, readOnly);
        }

        @Override
        public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
            return real.rescan(context, device);
        }

        @Override
        public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
            return real.remove(context, device);
        }

        @Override
        public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
            return real.multipathMap(path);
        }

        @Override
        public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
            return real.attachLoop(context, file);
        }

        @Override
        public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
            return real.detachLoop(context, file);
        }
    }

    /** What the tool that looks for signatures says is understood otherwise. */
    record Tools(ProcessRunner real, UnaryOperator<CommandResult> mistake) implements ProcessRunner {
        @Override
        public Optional<Path> locate(String tool) {
            return real.locate(tool);
        }

        @Override
        public Outcome<CommandResult> run(OperationContext context, Command command) {
            Outcome<CommandResult> result = real.run(context, command);
            return command.tool().equals("blkid") ? result.map(mistake) : result;
        }
    }

    /** Nothing is noted. */
    static final VolumeNotes LOST = new VolumeNotes() {
        @Override
        public Outcome<Optional<String>> find(String key) {
            return Outcome.done(Optional.empty());
        }

        @Override
        public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
            return Outcome.done();
        }
    };

    /** What is noted first stays, whatever is noted later. */
    record FirstOnly(VolumeNotes real) implements VolumeNotes {
        @Override
        public Outcome<Optional<String>> find(String key) {
            return real.find(key);
        }

        @Override
        public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
            return expected.isPresent() ? Outcome.done() : real.write(key, expected, value);
        }
    }

    /** What is noted of file systems is not what should be. */
    record Noting(FileSystems real, UnaryOperator<VolumeNotes> mistake) implements FileSystems {
        @Override
        public Outcome<Optional<String>> probe(OperationContext context, BlockDevice device) {
            return real.probe(context, device);
        }

        @Override
        public Outcome<MountEntry> mount(
                OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
            FileSystemRequest mistaken = new FileSystemRequest(
                    request.type(),
                    request.policy(),
                    request.readOnly(),
                    request.shared(),
                    request.options(),
                    request.leastBytes(),
                    mistake.apply(request.notes()));
            return real.mount(context, device, target, mistaken);
        }

        @Override
        public Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
            return real.grow(context, device, mountPoint);
        }
    }

    /** The tool looked before there was anything to see; what was made since, it finds. */
    static final class EarlyTools implements ProcessRunner {
        private final ProcessRunner real;
        private boolean made;

        EarlyTools(ProcessRunner real) {
            this.real = real;
        }

        @Override
        public Optional<Path> locate(String tool) {
            return real.locate(tool);
        }

        @Override
        public Outcome<CommandResult> run(OperationContext context, Command command) {
            made |= command.tool().startsWith("mkfs");
            return command.tool().equals("blkid") && !made ? Outcome.done(NOTHING) : real.run(context, command);
        }
    }
}
