// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.Signature;
import dev.mooring.host.linux.filesystem.FormatRule.Leftover;
import dev.mooring.host.linux.process.ChangingProcesses;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/** Makes a file system, if every condition of {@link FormatRule} holds, and makes sure that it is there. */
public final class Formatter {
    /** More at a time make each other slow, and every one of them holds up a pod. */
    private static final int AT_A_TIME = 4;

    private final ProcessRunner processes;
    private final ChangingProcesses changing;
    private final BlockDevices devices;
    private final DeviceProbe probe;
    private final Semaphore permits = new Semaphore(AT_A_TIME);

    public Formatter(ProcessRunner processes, ChangingProcesses changing, BlockDevices devices, DeviceProbe probe) {
        this.processes = processes;
        this.changing = changing;
        this.devices = devices;
        this.probe = probe;
    }

    /**
     * Checks the conditions in their order and then makes the file system.
     *
     * @param notes where it is noted
     * @param note what is noted now
     */
    Outcome<Nothing> format(
            OperationContext context,
            BlockDevice device,
            FileSystemRequest request,
            DiskNotes notes,
            Optional<FormatNote> note) {
        return allowed(context, device, request, "has no file system")
                .then(ok -> FormatRule.noEvidence(device, request, note, notes.where()))
                .then(ok -> fits(device, request))
                .then(ok -> superblock(context, device))
                .map(block -> Leftover.of(note, block, !notes.ofNode(), notes.where()))
                .then(left ->
                        probe.makeSure(context, device).then(answer -> FormatRule.blank(device, request, answer, left)))
                .then(ok -> intend(context, device, request, notes, note))
                .then(intent -> make(context, device, notes, intent));
    }

    /**
     * Makes a file system again whose making was begun and that was never mounted, as {@link FormatRule#step} has proved.
     *
     * @param notes where it is noted
     * @param note what is noted now: that it was begun
     */
    Outcome<Nothing> again(
            OperationContext context, BlockDevice device, FileSystemRequest request, DiskNotes notes, FormatNote note) {
        return allowed(
                        context,
                        device,
                        request,
                        "may have a file system that was not made completely (" + notes.where() + ")")
                .then(ok -> FormatRule.noEvidence(device, request, Optional.of(note), notes.where()))
                .then(ok -> fits(device, request))
                .then(ok -> make(context, device, notes, note));
    }

    private Outcome<Nothing> allowed(
            OperationContext context, BlockDevice device, FileSystemRequest request, String lack) {
        return FormatRule.wanted(device, request, lack)
                .then(ok -> devices.users(context, device))
                .then(users -> FormatRule.exclusive(device, request, users, lack));
    }

    private Outcome<Nothing> fits(BlockDevice device, FileSystemRequest request) {
        return devices.named(device.name())
                .then(now -> FormatRule.sameDevice(device, now))
                .then(now -> FormatRule.largeEnough(now, request));
    }

    /** What the medium itself says of the file system on it. */
    Outcome<Optional<Superblock>> superblock(OperationContext context, BlockDevice device) {
        return probe.head(context, device, Superblock.LENGTH).map(Superblock::read);
    }

    /** The note comes before the first byte. An existing note is taken up, so that a repetition makes the same file system. */
    private static Outcome<FormatNote> intend(
            OperationContext context,
            BlockDevice device,
            FileSystemRequest request,
            DiskNotes notes,
            Optional<FormatNote> note) {
        if (note.isPresent()) {
            return Outcome.done(note.get());
        }
        FormatNote intent = new FormatNote(true, request.type(), newIdentity(context, device));
        return FileSystemTools.make(request.type(), intent.uuid(), device.path())
                .then(known -> notes.kept().write(FileSystems.NOTE, Optional.empty(), intent.toString()))
                .map(written -> intent);
    }

    /** New for each time and disk, and yet not by chance, so that a run can be repeated. */
    private static String newIdentity(OperationContext context, BlockDevice device) {
        String seed = String.join(
                "\n",
                "mooring file system",
                context.idempotencyKey(),
                context.clock().instant().toString(),
                device.wwid().orElse(device.number()),
                context.node().map(node -> node.uid()).orElse(""));
        return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private Outcome<Nothing> make(OperationContext context, BlockDevice device, DiskNotes notes, FormatNote intent) {
        if (!permits.tryAcquire()) {
            return Outcome.deferred(AT_A_TIME + " file systems are being made on this node already");
        }
        try {
            return FileSystemTools.make(intent.type(), intent.uuid(), device.path())
                    .then(command -> run(context, command))
                    .then(made -> probe.probe(context, device))
                    .then(answer -> verify(device, intent, answer))
                    .then(there -> devices.flush(context, device))
                    .then(flushed -> finish(notes, intent));
        } finally {
            // a tool that was left running keeps the permit until it has ended
            changing.whenSettled(device.path().toString(), permits::release);
        }
    }

    private Outcome<CommandResult> run(OperationContext context, Command command) {
        return processes.run(context, command).then(result -> {
            if (result.succeeded()) {
                return Outcome.done(result);
            }
            return result.ending() == CommandResult.Ending.EXITED
                    ? Outcome.uncertain(
                            command.tool() + " failed with " + result.exitCode() + ": " + result.complaint())
                    : Outcome.uncertain(command + " has not ended yet");
        });
    }

    private static Outcome<Nothing> verify(BlockDevice device, FormatNote intent, DeviceProbe.Answer answer) {
        return answer.signature().flatMap(Signature::uuid).equals(Optional.of(intent.uuid()))
                ? Outcome.done()
                : Outcome.uncertain(device.path() + " does not show the file system that was made on it: "
                        + answer.signature().map(Signature::type).orElse("nothing is recognised"));
    }

    /** Also for a file system that an earlier attempt has made. */
    static Outcome<Nothing> finish(DiskNotes notes, FormatNote intent) {
        return notes.kept()
                .write(
                        FileSystems.NOTE,
                        Optional.of(intent.toString()),
                        intent.done().toString());
    }
}
