// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.Signature;
import dev.mooring.host.linux.process.ChangingProcesses;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * File systems on block devices: probe, make, check, mount.
 *
 * <p>A device that is to be mounted read-only is first made read-only itself. A read-only mount alone would still replay the journal, that
 * is write; a mount that skips the journal would show a state that never was. On a read-only device the kernel does neither: it mounts what
 * is clean and refuses what is not.
 */
public final class LinuxFileSystems implements FileSystems {
    /** Those that several nodes may write at a time. */
    private static final Set<String> FOR_CLUSTERS = Set.of("gfs2", "ocfs2");

    private final BlockDevices devices;
    private final Mounts mounts;
    private final ChangingProcesses changing;
    private final DeviceProbe probe;
    private final Formatter formatter;
    private final Checking checking;
    private final Growing growing;
    private final Function<BlockDevice, Optional<VolumeNotes>> localNotes;
    private final MadeReadOnly madeReadOnly;

    public LinuxFileSystems(
            BlockDevices devices,
            Mounts mounts,
            ChangingProcesses changing,
            DeviceProbe probe,
            Formatter formatter,
            Checking checking,
            Growing growing,
            Function<BlockDevice, Optional<VolumeNotes>> localNotes,
            Function<BlockDevice, String> identity) {
        this.devices = devices;
        this.mounts = mounts;
        this.changing = changing;
        this.probe = probe;
        this.formatter = formatter;
        this.checking = checking;
        this.growing = growing;
        this.localNotes = localNotes;
        this.madeReadOnly = new MadeReadOnly(identity);
    }

    @Override
    public Outcome<Optional<String>> probe(OperationContext context, BlockDevice device) {
        return settled(device)
                .then(ok -> probe.probe(context, device))
                .map(answer -> answer.signature().map(Signature::type));
    }

    /** What a tool is changing at this moment is nothing to be looked at. */
    private Outcome<Nothing> settled(BlockDevice device) {
        return changing.isChanging(device.path().toString())
                ? Outcome.deferred("a tool is still at work on " + device.path())
                : Outcome.done();
    }

    @Override
    public Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
        return settled(device).then(ok -> growing.grow(context, device, mountPoint));
    }

    @Override
    public Outcome<MountEntry> mount(
            OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
        return mounts.table()
                .then(table -> isThere(table, device, target)
                        ? mountNow(context, device, target, request)
                        : prepare(context, device, request).then(ok -> mountNow(context, device, target, request)));
    }

    private static boolean isThere(MountTable table, BlockDevice device, Path target) {
        return table.top(target)
                .filter(top -> top.device().equals(device.number())
                        || top.source().equals(device.path().toString()))
                .isPresent();
    }

    private Outcome<MountEntry> mountNow(
            OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
        MountRequest mount =
                new MountRequest(device.path().toString(), request.type(), request.options(), request.readOnly());
        Outcome<MountEntry> mounted = mounts.mount(context, target, mount);
        return mounted.recoverRefused(refused -> request.readOnly() && refused.refusal() == Refusal.DENIED
                ? Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        refused.why() + "; it was not unmounted cleanly, and nothing may be written to it")
                : refused);
    }

    private Outcome<Nothing> prepare(OperationContext context, BlockDevice device, FileSystemRequest request) {
        if (request.shared() && !request.readOnly() && !FOR_CLUSTERS.contains(request.type())) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    "a file system of type " + request.type() + " is not written where other nodes may use the device");
        }
        DiskNotes notes = notesOf(device, request);
        return settled(device)
                .then(ok -> devices.named(device.name()))
                .then(now -> FormatRule.sameDevice(device, now))
                .then(ok -> devices.users(context, device))
                .then(users -> unused(device, users))
                .then(ok -> writable(context, device, !request.readOnly()))
                .then(ok -> noteOf(notes.kept()))
                .then(note -> probe.probe(context, device)
                        .then(answer -> answer.signature().isPresent()
                                ? take(
                                        context,
                                        device,
                                        request,
                                        notes,
                                        note,
                                        answer.signature().get())
                                : formatter.format(context, device, request, notes, note)));
    }

    private static Outcome<Nothing> unused(BlockDevice device, List<String> users) {
        return users.isEmpty()
                ? Outcome.done()
                : Outcome.refused(Refusal.IN_USE, device.path() + " is used: " + String.join("; ", users));
    }

    private DiskNotes notesOf(BlockDevice device, FileSystemRequest request) {
        boolean none = request.notes().equals(VolumeNotes.NONE);
        return none
                ? new DiskNotes(localNotes.apply(device).orElse(VolumeNotes.NONE), true)
                : new DiskNotes(request.notes(), false);
    }

    private static Outcome<Optional<FormatNote>> noteOf(VolumeNotes notes) {
        return notes.find(NOTE).then(text -> {
            Optional<FormatNote> note = text.flatMap(FormatNote::parse);
            return text.isPresent() && note.isEmpty()
                    ? Outcome.refused(
                            Refusal.CORRUPT, "the note " + NOTE + " says '" + text.get() + "', which is not a note")
                    : Outcome.done(note);
        });
    }

    /** Read-only first, so that not even what follows by mistake can write. */
    private Outcome<Nothing> writable(OperationContext context, BlockDevice device, boolean wanted) {
        if (!wanted) {
            if (!device.readOnly()) {
                madeReadOnly.note(device);
            }
            return devices.setReadOnly(context, device, true);
        }
        if (madeReadOnly.contains(device)) {
            return devices.setReadOnly(context, device, false).map(ok -> {
                madeReadOnly.forget(device);
                return ok;
            });
        }
        return device.readOnly()
                ? Outcome.refused(Refusal.DENIED, device.path() + " is read-only; blockdev --setrw if it was made so")
                : Outcome.done();
    }

    /** A file system is there: ours, an earlier one, or another than the wanted one. */
    private Outcome<Nothing> take(
            OperationContext context,
            BlockDevice device,
            FileSystemRequest request,
            DiskNotes notes,
            Optional<FormatNote> note,
            Signature found) {
        if (!found.fileSystem() || !FileSystemTools.serves(request.type(), found.type())) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    device.path() + " holds " + found.type() + ", not a file system of type " + request.type());
        }
        return formatter
                .superblock(context, device)
                .then(block -> FormatRule.step(device, found, block, note, notes.where()))
                .then(step -> switch (step) {
                    case TAKE -> ready(context, device, request, notes, note, found);
                    case MAKE_AGAIN -> formatter.again(context, device, request, notes, note.orElseThrow());
                });
    }

    /** What is noted leaves {@code pending} before the first mount: from then on nothing is made again. */
    private Outcome<Nothing> ready(
            OperationContext context,
            BlockDevice device,
            FileSystemRequest request,
            DiskNotes notes,
            Optional<FormatNote> note,
            Signature found) {
        if (request.readOnly()) {
            return note.filter(FormatNote::pending)
                    .map(begun -> Formatter.finish(notes, begun))
                    .orElseGet(Outcome::done);
        }
        return checking.check(context, device, found.type()).then(ok -> remember(notes, note, found));
    }

    /** From now on a device that looks blank is a damaged one. */
    private static Outcome<Nothing> remember(DiskNotes notes, Optional<FormatNote> note, Signature found) {
        if (note.isPresent()) {
            return note.get().pending() ? Formatter.finish(notes, note.get()) : Outcome.done();
        }
        if (notes.kept().equals(VolumeNotes.NONE) || found.uuid().isEmpty()) {
            return Outcome.done();
        }
        FormatNote seen = new FormatNote(false, found.type(), found.uuid().get());
        return notes.kept().write(NOTE, Optional.empty(), seen.toString());
    }
}
