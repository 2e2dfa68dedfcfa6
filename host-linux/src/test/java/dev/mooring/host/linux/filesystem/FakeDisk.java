// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.host.linux.device.DeviceIdentity;
import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.DeviceReader;
import dev.mooring.host.linux.process.ChangingProcesses;
import dev.mooring.host.linux.support.ForwardingMounts;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A disk with tools that answer as told: what is mounted, asked, written is recorded. The tools that make file systems change what blkid
 * sees from then on, unless they are told to fail.
 */
final class FakeDisk implements ProcessRunner, ChangingProcesses, DeviceReader {
    static final long SIZE = 1 << 30;
    static final BlockDevice DEVICE =
            new BlockDevice("sda", Path.of("/dev/sda"), "8:0", SIZE, false, Optional.of("naa.1"));
    static final Path TARGET = Path.of("/mounts/volume");

    BlockDevice now = DEVICE;
    List<String> users = List.of();
    Outcome<OptionalLong> firstOther = Outcome.done(OptionalLong.empty());
    Outcome<byte[]> head = Outcome.done(new byte[0]);
    CommandResult blkid = exit(2);
    CommandResult fsck = exit(0);
    CommandResult mkfs = exit(0);
    Set<String> changing = new HashSet<>();
    Deque<Runnable> onSettled = new ArrayDeque<>();
    int dieAt = -1;
    int steps;
    final MemoryNotes notes = new MemoryNotes();
    final List<String> commands = new ArrayList<>();
    final List<String> mounted = new ArrayList<>();
    final List<MountEntry> table = new ArrayList<>();
    final Map<String, VolumeNotes> local = new ConcurrentHashMap<>();

    static CommandResult exit(int code) {
        return exit(code, "");
    }

    static CommandResult exit(int code, String output) {
        return new CommandResult(Ending.EXITED, code, output, "");
    }

    static CommandResult found(String type, String uuid) {
        return exit(0, "DEVNAME=/dev/sda\nUUID=" + uuid + "\nTYPE=" + type + "\nUSAGE=filesystem\n");
    }

    LinuxFileSystems fileSystems() {
        DeviceProbe probe = new DeviceProbe(this, this);
        return new LinuxFileSystems(
                devices(),
                mounts(),
                this,
                probe,
                new Formatter(this, this, devices(), probe),
                new Checking(this),
                new Growing(
                        this, devices(), () -> Outcome.done(new MountTable(table)), (c, d, e) -> Outcome.done(SIZE)),
                device -> Optional.ofNullable(local.get(device.name())),
                DeviceIdentity::ofDisk);
    }

    /** The process dies here, if it is its turn. */
    void step() {
        if (steps++ == dieAt) {
            throw new Crash();
        }
    }

    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** The notes, between which the process may die, too. */
    VolumeNotes mortalNotes() {
        return new VolumeNotes() {
            @Override
            public Outcome<Optional<String>> find(String key) {
                return notes.find(key);
            }

            @Override
            public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
                step();
                Outcome<Nothing> written = notes.write(key, expected, value);
                step();
                return written;
            }
        };
    }

    long made() {
        return commands.stream().filter(line -> line.startsWith("mkfs")).count();
    }

    @Override
    public Optional<Path> locate(String tool) {
        return Optional.of(Path.of("/sbin", tool));
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        if (command.changes().filter(changing::contains).isPresent()) {
            return Outcome.deferred("an earlier command still runs");
        }
        commands.add(command.toString());
        return Outcome.done(
                switch (command.tool()) {
                    case "blkid" -> blkid;
                    case "e2fsck" -> fsck;
                    default -> makeOrDie(command);
                });
    }

    private CommandResult makeOrDie(Command command) {
        step();
        CommandResult result = make(command);
        step();
        return result;
    }

    private CommandResult make(Command command) {
        if (mkfs.succeeded()) {
            List<String> arguments = command.arguments();
            String uuid = arguments.get(arguments.size() - 2).replace("uuid=", "");
            blkid = found(command.tool().substring(5), uuid);
        }
        if (mkfs.ending() == Ending.STILL_RUNNING) {
            changing.add("/dev/sda");
        }
        return mkfs;
    }

    @Override
    public boolean isChanging(String thing) {
        return changing.contains(thing);
    }

    @Override
    public void whenSettled(String thing, Runnable action) {
        if (changing.contains(thing)) {
            onSettled.add(action);
        } else {
            action.run();
        }
    }

    @Override
    public Outcome<OptionalLong> firstOther(OperationContext context, BlockDevice device) {
        return firstOther;
    }

    @Override
    public Outcome<byte[]> head(OperationContext context, BlockDevice device, int length) {
        return head;
    }

    private ForwardingMounts mounts() {
        return new ForwardingMounts() {
            @Override
            public Outcome<MountTable> table() {
                return Outcome.done(new MountTable(table));
            }

            @Override
            public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
                mounted.add(request.type() + (request.readOnly() ? " ro" : "") + " " + request.options());
                return Outcome.refused(Refusal.UNSUPPORTED, "no kernel here");
            }
        };
    }

    private BlockDevices devices() {
        BlockDevices none = HostServices.none().blockDevices();
        return new BlockDevices() {
            @Override
            public Outcome<BlockDevice> find(Path path) {
                return Outcome.done(now);
            }

            @Override
            public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
                return none.isZero(context, device, offset, length);
            }

            @Override
            public Outcome<BlockDevice> named(String name) {
                return Outcome.done(now);
            }

            @Override
            public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
                return Outcome.done(users);
            }

            @Override
            public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
                commands.add("flush");
                return Outcome.done();
            }

            @Override
            public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
                commands.add(readOnly ? "setro" : "setrw");
                return Outcome.done();
            }

            @Override
            public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
                return none.rescan(context, device);
            }

            @Override
            public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
                return none.remove(context, device);
            }

            @Override
            public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
                return none.multipathMap(path);
            }

            @Override
            public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
                return none.attachLoop(context, file);
            }

            @Override
            public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
                return none.detachLoop(context, file);
            }
        };
    }
}
