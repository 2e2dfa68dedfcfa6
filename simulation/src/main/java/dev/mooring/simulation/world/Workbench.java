// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.simulation.virtual.ProcessDeath;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDeviceBuilder;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountEntryBuilder;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A volume's device on a machine while it is prepared there: what is seen of it, and what is done to it, with what goes wrong at each
 * step. Confined to the world's thread.
 */
final class Workbench implements ProcessRunner {
    private static final long SIZE = 1L << 30;
    private static final String MAKES = "mkfs.";

    private final Disk disk;
    private final boolean attached;
    private final Steps steps;
    private final BlockDevice whole;
    private Optional<Sight> sight = Optional.empty();
    /** Whether the last look at a device that showed what is there said that nothing is, or proved that it was never mounted. */
    private boolean surelyNothing;

    /** The machine, as far as a device does not know it. */
    interface Steps {
        /** What goes wrong with {@code probe}, {@code mkfs} or {@code mount}. */
        Optional<CallFault> fault(String step);

        /** The device is about to be changed by a tool that makes file systems. */
        void formatting(boolean surelyNothing, Optional<String> held);

        /** A name for a new content. */
        long nextContent();

        /** Whether the device is mounted. */
        boolean mounted();

        /** It is from now on. */
        void mount();
    }

    /**
     * Makes the bench.
     *
     * @param disk what is on the device
     * @param volume the volume's name, as which the device is known
     * @param attached whether the device is there
     * @param steps the machine
     */
    Workbench(Disk disk, String volume, boolean attached, Steps steps) {
        this.disk = disk;
        this.attached = attached;
        this.steps = steps;
        this.whole = BlockDeviceBuilder.builder()
                .name(volume)
                .path(Path.of("/dev", volume))
                .number("8:0")
                .sizeBytes(SIZE)
                .wwid(disk.identity())
                .build();
    }

    /** The device as one knows it who has found it. */
    BlockDevice device() {
        return whole;
    }

    /** The device as it shows itself. */
    BlockDevice now() {
        return sight() == Sight.HOLLOW
                ? BlockDeviceBuilder.builder()
                        .name(whole.name())
                        .path(whole.path())
                        .number(whole.number())
                        .sizeBytes(0)
                        .wwid(whole.wwid())
                        .build()
                : whole;
    }

    /** How the device looks in this call: decided at the first look. */
    private Sight sight() {
        if (sight.isEmpty()) {
            sight = Optional.of(
                    !attached
                            ? Sight.HOLLOW
                            : steps.fault("probe")
                                    .map(fault -> Sight.of(fault.outcome()))
                                    .orElse(Sight.CLEAR));
        }
        return sight.get();
    }

    /** Whether a place reads as zeros. */
    Outcome<Boolean> zeros(long offset) {
        return switch (sight()) {
            case CLEAR, AMBIGUOUS, SLOW -> Outcome.done(disk.zeros(offset));
            case MUTE, UNREADABLE -> Outcome.deferred(whole.path() + " cannot be read");
            case HOLLOW -> Outcome.done(true);
        };
    }

    /**
     * Its first bytes. A superblock there can prove that its file system was never mounted. Zeros there prove nothing: data may be
     * anywhere.
     */
    Outcome<byte[]> head() {
        return switch (sight()) {
            case CLEAR, AMBIGUOUS, SLOW -> {
                surelyNothing |= sight() == Sight.CLEAR && disk.provesUnused();
                yield Outcome.done(disk.head());
            }
            case MUTE, UNREADABLE -> Outcome.deferred(whole.path() + " cannot be read");
            case HOLLOW -> Outcome.done(new byte[0]);
        };
    }

    @Override
    public Optional<Path> locate(String tool) {
        return Optional.of(Path.of("/sbin", tool));
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        if (command.tool().equals("blkid")) {
            CommandResult seen = look();
            surelyNothing = seen.exitCode() == 2 && sight() == Sight.CLEAR;
            return Outcome.done(seen);
        }
        return Outcome.done(command.tool().startsWith(MAKES) ? make(command) : exit(0, "", ""));
    }

    private CommandResult look() {
        return switch (sight()) {
            case CLEAR ->
                disk.type()
                        .map(type -> exit(
                                0,
                                String.format(
                                        Locale.ROOT,
                                        "DEVNAME=%s\nUUID=%s\nTYPE=%s\nUSAGE=filesystem\n",
                                        whole.path(),
                                        disk.uuid(),
                                        type),
                                ""))
                        .orElseGet(() -> exit(2, "", ""));
            case MUTE, HOLLOW -> exit(2, "", "");
            case UNREADABLE -> exit(2, "", "error: " + whole.path() + ": Input/output error");
            case AMBIGUOUS -> exit(8, "", "");
            case SLOW -> new CommandResult(Ending.STILL_RUNNING, -1, "", "");
        };
    }

    private CommandResult make(Command command) {
        Optional<CallFault.Outcome> fault = steps.fault("mkfs").map(CallFault::outcome);
        if (fault.equals(Optional.of(CallFault.Outcome.CRASH_BEFORE))) {
            throw new ProcessDeath("a crash before a file system is made was declared");
        }
        if (fault.equals(Optional.of(CallFault.Outcome.REFUSED))) {
            return exit(1, "", "the tool was not of use (declared fault)");
        }
        List<String> arguments = command.arguments();
        String uuid = arguments.get(arguments.size() - 2).replace("uuid=", "");
        String type = command.tool().substring(MAKES.length());
        steps.formatting(surelyNothing, disk.held(uuid));
        boolean half = fault.filter(
                        outcome -> outcome == CallFault.Outcome.UNCERTAIN || outcome == CallFault.Outcome.HANG)
                .isPresent();
        if (half) {
            disk.begin(type, uuid, steps.nextContent());
            return exit(1, "", "the tool did not come to its end (declared fault)");
        }
        disk.format(type, uuid, steps.nextContent());
        if (fault.equals(Optional.of(CallFault.Outcome.CRASH_AFTER))) {
            throw new ProcessDeath("a crash after a file system was made was declared");
        }
        return fault.equals(Optional.of(CallFault.Outcome.UNCERTAIN_APPLIED))
                ? exit(1, "", "it says that it has failed (declared fault)")
                : exit(0, "", "");
    }

    private static CommandResult exit(int code, String output, String errors) {
        return new CommandResult(Ending.EXITED, code, output, errors);
    }

    /** The mounts at a place. */
    MountTable table(Path target) {
        return new MountTable(steps.mounted() ? List.of(entry(target)) : List.of());
    }

    private MountEntry entry(Path target) {
        return MountEntryBuilder.builder()
                .id(2)
                .parent(1)
                .device(whole.number())
                .root("/")
                .mountPoint(target)
                .options(List.of("rw"))
                .fsType(disk.type().orElse(""))
                .source(whole.path().toString())
                .superOptions(List.of("rw"))
                .build();
    }

    /** The kernel's mount, which refuses a device on which it recognises nothing. */
    Outcome<MountEntry> mount(Path target, MountRequest request) {
        Optional<CallFault.Outcome> fault = steps.fault("mount").map(CallFault::outcome);
        if (fault.equals(Optional.of(CallFault.Outcome.CRASH_BEFORE))) {
            throw new ProcessDeath("a crash before a mount was declared");
        }
        if (sight() == Sight.HOLLOW || !disk.mountable(request.type())) {
            return Outcome.refused(Refusal.CORRUPT, "no " + request.type() + " is on " + whole.path());
        }
        if (fault.isPresent() && !applies(fault.get())) {
            return fault.get() == CallFault.Outcome.REFUSED
                    ? Outcome.refused(Refusal.DENIED, "the kernel refuses the mount (declared fault)")
                    : Outcome.uncertain("the mount was not answered for (declared fault)");
        }
        steps.mount();
        if (!request.readOnly()) {
            disk.mount();
        }
        if (fault.equals(Optional.of(CallFault.Outcome.CRASH_AFTER))) {
            throw new ProcessDeath("a crash after a mount was declared");
        }
        return fault.filter(outcome -> outcome != CallFault.Outcome.TWICE).isPresent()
                ? Outcome.uncertain("the mount was not answered for (declared fault)")
                : Outcome.done(entry(target));
    }

    private static boolean applies(CallFault.Outcome outcome) {
        return switch (outcome) {
            case UNCERTAIN_APPLIED, HANG_APPLIED, TWICE, CRASH_AFTER -> true;
            default -> false;
        };
    }
}
