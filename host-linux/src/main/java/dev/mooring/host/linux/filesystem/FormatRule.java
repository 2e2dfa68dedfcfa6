// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FormatPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Whether a device without a file system may be given one (S16): each condition of semantics/plugins §1.5 by its number. Pure. Done means
 * that the condition holds; every other outcome says why it does not.
 */
final class FormatRule {
    private FormatRule() {}

    /** 1: it is wanted, and allowed. */
    static Outcome<Nothing> wanted(BlockDevice device, FileSystemRequest request) {
        if (request.policy() == FormatPolicy.NEVER) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, device.path() + " has no file system, and none is to be made (policy never)");
        }
        if (request.readOnly()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, device.path() + " has no file system and is to be mounted read-only");
        }
        return Outcome.done();
    }

    /** 2: nobody else can have the device, on other nodes or on this one. */
    static Outcome<Nothing> exclusive(BlockDevice device, FileSystemRequest request, List<String> users) {
        if (request.shared()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    device.path() + " has no file system, and none is made on a device that other nodes may use");
        }
        return users.isEmpty()
                ? Outcome.done()
                : Outcome.refused(Refusal.IN_USE, device.path() + " is used: " + String.join("; ", users));
    }

    /** 3: nothing says that it had a file system before. One whose making was begun by us may be begun again. */
    static Outcome<Nothing> noEvidence(
            BlockDevice device, FileSystemRequest request, Optional<FormatNote> note, String where) {
        if (note.isEmpty()) {
            return Outcome.done();
        }
        if (!note.get().pending()) {
            return Outcome.refused(
                    Refusal.CORRUPT,
                    device.path() + " looks blank, yet it was noted to hold " + note.get() + " (" + where
                            + "); if it was wiped on purpose, remove the note");
        }
        return note.get().type().equals(request.type())
                ? Outcome.done()
                : Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        "the making of " + note.get() + " was begun on " + device.path() + ", now " + request.type()
                                + " is wanted (" + where + ")");
    }

    /** 4: it is the device that it was said to be. */
    static Outcome<BlockDevice> sameDevice(BlockDevice expected, BlockDevice now) {
        return now.number().equals(expected.number()) && now.wwid().equals(expected.wwid())
                ? Outcome.done(now)
                : Outcome.refused(Refusal.NOT_FOUND, expected.path() + " is another device by now");
    }

    /**
     * 4: it is as large as its volume. Where a file system is already, the size proves nothing: what a volume is said to have may be more
     * than it ever had, or what it is being expanded to.
     */
    static Outcome<Nothing> largeEnough(BlockDevice now, FileSystemRequest request) {
        return now.sizeBytes() >= request.leastBytes()
                ? Outcome.done()
                : Outcome.refused(
                        Refusal.CORRUPT,
                        now.path() + " has " + now.sizeBytes() + " bytes, which is less than the "
                                + request.leastBytes() + " of its volume");
    }

    /** 6 and 7: nothing is recognised on it, and nothing unknown is on it either, unless an administrator said that it does not matter. */
    static Outcome<Nothing> blank(
            BlockDevice device, FileSystemRequest request, DeviceProbe.Answer answer, boolean begunByUs) {
        if (answer.signature().isPresent()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    device.path() + " holds " + answer.signature().get().type());
        }
        boolean mayHoldData = request.policy() != FormatPolicy.IF_NO_SIGNATURE
                && !begunByUs
                && answer.firstOther().isPresent();
        return mayHoldData
                ? Outcome.refused(
                        Refusal.CORRUPT,
                        device.path() + " holds data of an unknown kind, at byte "
                                + answer.firstOther().getAsLong() + "; wipe it or allow it by the format policy")
                : Outcome.done();
    }
}
