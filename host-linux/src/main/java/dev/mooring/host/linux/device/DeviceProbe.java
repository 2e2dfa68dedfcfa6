// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is on a device. {@code blkid} answers 2 both for a blank device and for a device that it cannot read, which has cost people their
 * data (kubernetes#95183, #140376): its "nothing" only counts after everything could be read.
 */
public final class DeviceProbe {
    private final ProcessRunner processes;
    private final DeviceReader reader;

    public DeviceProbe(ProcessRunner processes, DeviceReader reader) {
        this.processes = processes;
        this.reader = reader;
    }

    /**
     * An answer.
     *
     * @param signature what was recognised; empty only if there surely is none
     * @param firstOther if nothing was recognised: where the first byte is that is not zero; empty if all that was read are
     */
    public record Answer(Optional<Signature> signature, OptionalLong firstOther) {}

    public Outcome<Answer> probe(OperationContext context, BlockDevice device) {
        return recognise(context, device)
                .then(found -> found.isPresent()
                        ? Outcome.done(new Answer(found, OptionalLong.empty()))
                        : makeSure(context, device));
    }

    /** Reads first and asks again then (conditions 5 and 6, in this order). */
    public Outcome<Answer> makeSure(OperationContext context, BlockDevice device) {
        return reader.firstOther(context, device)
                .then(other -> recognise(context, device).map(found -> new Answer(found, other)));
    }

    /** The first bytes of the device, as they are on the medium; see {@link DeviceReader#head}. */
    public Outcome<byte[]> head(OperationContext context, BlockDevice device, int length) {
        return reader.head(context, device, length);
    }

    private Outcome<Optional<Signature>> recognise(OperationContext context, BlockDevice device) {
        Command command =
                Command.query("blkid", "-p", "-o", "export", device.path().toString());
        return processes.run(context, command).then(result -> classify(device, result));
    }

    public static Outcome<Optional<Signature>> classify(BlockDevice device, CommandResult result) {
        if (result.ending() != Ending.EXITED) {
            return Outcome.deferred("blkid has not finished looking at " + device.path());
        }
        String output = result.standardOutput();
        return switch (result.exitCode()) {
            case 0 ->
                output.isBlank()
                        ? Outcome.uncertain("blkid recognised something on " + device.path() + " and did not say what")
                        : Outcome.done(Optional.of(output)
                                .filter(DeviceProbe::isOfContent)
                                .map(Signature::parse));
            case 2 ->
                output.isBlank() && result.standardError().isBlank()
                        ? Outcome.done(Optional.empty())
                        : Outcome.deferred("blkid could not read " + device.path() + ": " + result.complaint());
            case 8 ->
                Outcome.refused(
                        Refusal.CORRUPT,
                        device.path() + " bears the signs of several contents; wipe those that are not meant");
            default -> Outcome.uncertain("blkid failed with " + result.exitCode() + ": " + result.complaint());
        };
    }

    /** Of a partition blkid always tells what the table says of it; that is no content. */
    private static boolean isOfContent(String output) {
        return !output.lines().allMatch(line -> line.startsWith("DEVNAME=") || line.startsWith("PART_ENTRY_"));
    }
}
