// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds what is at a path and which disk it is. Changes nothing. A device is never known by what it holds: that changes when it is
 * formatted and when it is cleaned, and each user of the device can make it the same as that of another one.
 */
final class Locator {
    private static final Path NUMBERS = Path.of("/sys/dev/block");
    private static final Path BLOCK = Path.of("/sys/class/block");
    /** {@code blkid} found nothing. */
    private static final int NO_SIGNATURE = 2;

    private static final List<String> FILE_SYSTEM = List.of("-p", "-s", "UUID");
    /** Looks for none of the types that are told by what the partition holds: dos is a type of tables. */
    private static final List<String> PARTITION = List.of("-p", "-n", "dos", "-s", "PART_ENTRY_UUID");

    private final OperationContext context;

    Locator(OperationContext context) {
        this.context = context;
    }

    /** What is there, to be closed by the caller; deferred if nothing is, INCOMPATIBLE if it cannot be a volume. */
    Outcome<LocatedVolume> locate(Path path) {
        Outcome<PinnedPath> there = context.host().files().open(path, LinkRule.FOLLOW);
        return there.isRefused(Refusal.NOT_FOUND)
                ? Outcome.deferred("the volume is not on the node: there is no " + path)
                : there.then(pinned -> identified(pinned, path));
    }

    private Outcome<LocatedVolume> identified(PinnedPath pinned, Path path) {
        Outcome<LocatedVolume> found = pinned.facts()
                .then(facts -> pinned.resolved().then(real -> {
                    if (facts.kind() == FileKind.DIRECTORY) {
                        return directory(pinned, facts, real)
                                .map(identity -> new LocatedVolume(real, pinned, Optional.empty(), identity));
                    }
                    if (facts.kind() == FileKind.BLOCK_DEVICE) {
                        return context.host()
                                .blockDevices()
                                .find(real)
                                .then(device -> device(device, path)
                                        .map(identity ->
                                                new LocatedVolume(real, pinned, Optional.of(device), identity)));
                    }
                    return Outcome.refused(
                            Refusal.INCOMPATIBLE,
                            path + " is neither a directory nor a block device but a " + facts.kind());
                }));
        if (!found.isDone()) {
            pinned.close();
        }
        return found;
    }

    private String node() {
        return context.node().map(NodeRef::uid).orElse("");
    }

    // ---- directories ----

    private Outcome<DiskIdentity> directory(PinnedPath pinned, FileFacts facts, Path real) {
        return context.host()
                .mounts()
                .entryOf(pinned)
                .then(entry -> fileSystem(entry)
                        .map(disk -> DiskIdentity.ofDirectory(
                                entry.mountPoint().equals(real),
                                node(),
                                facts.identity().inode(),
                                disk)));
    }

    private Outcome<String> fileSystem(MountEntry entry) {
        return deviceOf(entry)
                .then(device -> device.map(this::uuid).orElseGet(() -> Outcome.done(Optional.empty())))
                .map(uuid -> uuid.map(found -> "uuid:" + found).orElseGet(() -> entry.fsType() + ":" + entry.source()));
    }

    /** The device of a mount by its number; a file system that has numbers of its own names it. */
    private Outcome<Optional<BlockDevice>> deviceOf(MountEntry entry) {
        if (entry.device().startsWith("0:")) {
            return entry.source().startsWith("/dev/")
                    ? context.host()
                            .blockDevices()
                            .find(Path.of(entry.source()))
                            .map(Optional::of)
                    : Outcome.done(Optional.empty());
        }
        return context.host()
                .sysfs()
                .resolve(NUMBERS.resolve(entry.device()))
                .then(real -> real.map(Path::getFileName)
                        .map(name -> context.host()
                                .blockDevices()
                                .named(name.toString())
                                .map(Optional::of))
                        .orElseGet(() -> Outcome.done(Optional.empty())));
    }

    // ---- devices ----

    private Outcome<DiskIdentity> device(BlockDevice device, Path path) {
        return disk(device)
                .map(disk -> disk.map(text -> DiskIdentity.ofDevice(node(), text))
                        .orElseGet(() -> DiskIdentity.ofUnknownDevice(node(), path.toString())));
    }

    /** By what the device is known, surest first; empty if by nothing. */
    private Outcome<Optional<String>> disk(BlockDevice device) {
        if (device.wwid().isPresent()) {
            return Outcome.done(device.wwid().map(text -> "wwid:" + text));
        }
        return firstOf(
                () -> partition(device),
                () -> map(device),
                () -> array(device),
                () -> sysfs(device, "loop/backing_file").map(file -> file.map(text -> "file:" + text)),
                () -> serial(device));
    }

    @SafeVarargs
    private static Outcome<Optional<String>> firstOf(Supplier<Outcome<Optional<String>>>... ways) {
        Outcome<Optional<String>> found = Outcome.done(Optional.empty());
        for (Supplier<Outcome<Optional<String>>> way : ways) {
            found = found.then(before -> before.isPresent() ? Outcome.done(before) : way.get());
        }
        return found;
    }

    /** A partition is known by its disk, or else by the disk's table, which is not in the partition. */
    private Outcome<Optional<String>> partition(BlockDevice device) {
        return sysfs(device, "partition")
                .then(number -> number.isEmpty()
                        ? Outcome.done(Optional.empty())
                        : firstOf(
                                () -> partOf(device, number.get()),
                                () -> probe(device, PARTITION).map(uuid -> uuid.map(text -> "partuuid:" + text))));
    }

    private Outcome<Optional<String>> partOf(BlockDevice device, String number) {
        return context.host()
                .sysfs()
                .resolve(BLOCK.resolve(device.name()))
                .then(directory -> directory
                        .map(Path::getParent)
                        .map(Path::getFileName)
                        .map(name -> context.host().blockDevices().named(name.toString()))
                        .orElseGet(() -> Outcome.deferred("the disk of " + device.path() + " cannot be found")))
                .then(disk -> disk.wwid().isPresent()
                        ? Outcome.done(disk.wwid().map(text -> "wwid:" + text))
                        : firstOf(() -> map(disk), () -> array(disk), () -> serial(disk)))
                .map(disk -> disk.map(text -> text + "/" + number));
    }

    /** A map of the device mapper has what its maker gave it: LVM, for one, the identities of group and volume. */
    private Outcome<Optional<String>> map(BlockDevice device) {
        return sysfs(device, "dm/uuid")
                .map(text -> text.filter(uuid -> !uuid.isBlank()).map(uuid -> "dm:" + uuid));
    }

    /** An array without a superblock has zeros. */
    private Outcome<Optional<String>> array(BlockDevice device) {
        return sysfs(device, "md/uuid")
                .map(text -> text.filter(uuid -> !uuid.matches("[0:-]*")).map(uuid -> "md:" + uuid));
    }

    private Outcome<Optional<String>> serial(BlockDevice device) {
        return sysfs(device, "serial")
                .map(text -> text.filter(serial -> !serial.isBlank()).map(serial -> "serial:" + serial.strip()));
    }

    private Outcome<Optional<String>> sysfs(BlockDevice device, String file) {
        return context.host().sysfs().read(BLOCK.resolve(device.name()).resolve(file));
    }

    /** Which file system is on a device, to tell it from others that only its path tells it from; {@link DiskIdentity#NO_CONTENT} for none. */
    Outcome<String> content(BlockDevice device) {
        return uuid(device).map(found -> found.orElse(DiskIdentity.NO_CONTENT));
    }

    /** The UUID of the file system on a device; empty if there is none. */
    private Outcome<Optional<String>> uuid(BlockDevice device) {
        return probe(device, FILE_SYSTEM);
    }

    private Outcome<Optional<String>> probe(BlockDevice device, List<String> what) {
        List<String> arguments = new ArrayList<>(what);
        arguments.addAll(List.of("-o", "value", device.path().toString()));
        Command command = Command.query("blkid", arguments.toArray(String[]::new));
        return context.host().processes().run(context, command).then(result -> {
            if (result.ending() == CommandResult.Ending.EXITED && result.exitCode() == NO_SIGNATURE) {
                return Outcome.done(Optional.empty());
            }
            return result.succeeded()
                    ? Outcome.done(Optional.of(result.standardOutput().strip()).filter(text -> !text.isEmpty()))
                    : Outcome.deferred(device.path() + " cannot be identified: " + result.complaint());
        });
    }
}
