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
import java.util.Optional;

/** Finds what is at a path and which disk it is. Changes nothing. */
final class Locator {
    private static final Path NUMBERS = Path.of("/sys/dev/block");
    private static final Path BLOCK = Path.of("/sys/class/block");
    /** {@code blkid} found nothing. */
    private static final int NO_SIGNATURE = 2;

    private final OperationContext context;

    Locator(OperationContext context) {
        this.context = context;
    }

    /** What is there, to be closed by the caller; deferred if nothing is, INCOMPATIBLE if it cannot be a volume. */
    Outcome<Located> locate(Path path) {
        Outcome<PinnedPath> there = context.host().files().open(path, LinkRule.FOLLOW);
        return there.match(
                done -> identified(done.value(), path),
                refused -> refused.refusal() == Refusal.NOT_FOUND
                        ? Outcome.deferred("the volume is not on the node: there is no " + path)
                        : there.map(nothing -> nowhere()),
                uncertain -> there.map(nothing -> nowhere()),
                deferred -> there.map(nothing -> nowhere()),
                elsewhere -> there.map(nothing -> nowhere()));
    }

    private static Located nowhere() {
        throw new IllegalStateException("only a success has a value");
    }

    private Outcome<Located> identified(PinnedPath pinned, Path path) {
        Outcome<Located> found = pinned.facts().then(facts -> pinned.resolved().then(real -> {
            if (facts.kind() == FileKind.DIRECTORY) {
                return directory(pinned, facts, real)
                        .map(identity -> new Located(real, pinned, Optional.empty(), identity));
            }
            if (facts.kind() == FileKind.BLOCK_DEVICE) {
                return context.host().blockDevices().find(real).then(device -> device(device, path)
                        .map(identity -> new Located(real, pinned, Optional.of(device), identity)));
            }
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, path + " is neither a directory nor a block device but a " + facts.kind());
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

    private Outcome<Identity> directory(PinnedPath pinned, FileFacts facts, Path real) {
        return context.host().mounts().entryOf(pinned).then(entry -> fileSystem(entry)
                .map(disk -> Identity.ofDirectory(
                        entry.mountPoint().equals(real),
                        node(),
                        facts.identity().inode(),
                        disk)));
    }

    private Outcome<String> fileSystem(MountEntry entry) {
        return deviceOf(entry)
                .then(device -> device.map(this::uuid).orElseGet(() -> Outcome.done(Optional.empty())))
                .map(uuid -> uuid.map(found -> "uuid:" + found)
                        .orElseGet(() -> entry.fsType() + ":" + entry.source()));
    }

    /** The device of a mount by its number; a file system that has numbers of its own names it. */
    private Outcome<Optional<BlockDevice>> deviceOf(MountEntry entry) {
        if (entry.device().startsWith("0:")) {
            return entry.source().startsWith("/dev/")
                    ? context.host().blockDevices().find(Path.of(entry.source())).map(Optional::of)
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

    private Outcome<Identity> device(BlockDevice device, Path path) {
        Optional<String> wwid = device.wwid();
        if (wwid.isPresent()) {
            return sysfs(device, "partition")
                    .map(number -> Identity.ofDevice(
                            node(),
                            "wwid:" + wwid.get() + number.map(text -> "/" + text).orElse("")));
        }
        return sysfs(device, "loop/backing_file")
                .then(file -> file.isPresent()
                        ? Outcome.done(file.map(text -> "file:" + text))
                        : serial(device).then(serial -> serial.isPresent() ? Outcome.done(serial) : byContent(device)))
                .map(disk -> disk.map(text -> Identity.ofDevice(node(), text))
                        .orElseGet(() -> Identity.ofUnknownDevice(node(), path.toString())));
    }

    private Outcome<Optional<String>> serial(BlockDevice device) {
        return sysfs(device, "serial")
                .map(text -> text.filter(serial -> !serial.isBlank()).map(serial -> "serial:" + serial.strip()));
    }

    private Outcome<Optional<String>> byContent(BlockDevice device) {
        return uuid(device).map(found -> found.map(text -> "uuid:" + text));
    }

    private Outcome<Optional<String>> sysfs(BlockDevice device, String file) {
        return context.host().sysfs().read(BLOCK.resolve(device.name()).resolve(file));
    }

    /** The UUID of the file system on a device; empty if there is none. */
    private Outcome<Optional<String>> uuid(BlockDevice device) {
        Command command = Command.query(
                "blkid", "-p", "-s", "UUID", "-o", "value", device.path().toString());
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
