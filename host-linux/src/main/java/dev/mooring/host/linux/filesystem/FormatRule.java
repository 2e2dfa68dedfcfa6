// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.Signature;
import dev.mooring.host.linux.filesystem.Superblock.Life;
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

    /**
     * 1: it is wanted, and allowed.
     *
     * @param lack why one would have to be made, such as {@code has no file system}
     */
    static Outcome<Nothing> wanted(BlockDevice device, FileSystemRequest request, String lack) {
        if (request.policy() == FormatPolicy.NEVER) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, device.path() + " " + lack + ", and none is to be made (policy never)");
        }
        if (request.readOnly()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, device.path() + " " + lack + " and is to be mounted read-only");
        }
        return Outcome.done();
    }

    /** 2: no other user can have the device, on other nodes or on this one. */
    static Outcome<Nothing> exclusive(BlockDevice device, FileSystemRequest request, List<String> users, String lack) {
        if (request.shared()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    device.path() + " " + lack + ", and none is made on a device that other nodes may use");
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
                        "making " + note.get().done() + " was begun on " + device.path() + ", now " + request.type()
                                + " is wanted; to have that made, remove the note (" + where + ")");
    }

    /** 4: it is the device that it was said to be. */
    static Outcome<BlockDevice> sameDevice(BlockDevice expected, BlockDevice now) {
        return now.number().equals(expected.number()) && now.wwid().equals(expected.wwid())
                ? Outcome.done(now)
                : Outcome.refused(Refusal.NOT_FOUND, expected.path() + " is now another device");
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

    /**
     * 6 and 7: nothing is recognised on it, and nothing unknown is on it either, unless an administrator said that it does not matter, or
     * only we can have written it.
     *
     * @param left what is known of a making of before
     */
    static Outcome<Nothing> blank(
            BlockDevice device, FileSystemRequest request, DeviceProbe.Answer answer, Leftover left) {
        if (answer.signature().isPresent()) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    device.path() + " holds " + answer.signature().get().type());
        }
        boolean mayHoldData = request.policy() != FormatPolicy.IF_NO_SIGNATURE
                && !left.surelyOurs()
                && answer.firstOther().isPresent();
        return mayHoldData
                ? Outcome.refused(
                        Refusal.CORRUPT,
                        device.path() + " holds data of an unknown kind, at byte "
                                + answer.firstOther().getAsLong() + left.told()
                                + "; if nothing on it is needed, wipe it ("
                                + wiping(device) + "), or allow it by the format policy")
                : Outcome.done();
    }

    /**
     * What is known of the making of a file system that is not known to have ended.
     *
     * @param surelyOurs whether only we can have written what is on the device
     * @param told the text for people, put behind a clause; may be empty
     */
    record Leftover(boolean surelyOurs, String told) {
        /** Where other nodes do not see the note, the superblock has to prove that it is ours; see {@link DiskNotes}. */
        static Leftover of(
                Optional<FormatNote> note, Optional<Superblock> superblock, boolean seenByAll, String where) {
            if (note.filter(FormatNote::pending).isEmpty()) {
                return new Leftover(false, "");
            }
            boolean proven = superblock
                    .filter(found -> found.life() == Life.UNFINISHED)
                    .filter(note.get()::begun)
                    .isPresent();
            return new Leftover(
                    seenByAll || proven,
                    ". Making " + note.get().done() + " was begun here (" + where
                            + "), but another node may have used the disk since");
        }
    }

    /** What makes a device blank, also one that has a superblock. */
    static String wiping(BlockDevice device) {
        return "blkdiscard --force --zeroout " + device.path();
    }

    /** What is to be done about a file system that is there. */
    enum Step {
        /** It is mounted. */
        TAKE,
        /** It was never mounted, and may not be whole: it is made again. */
        MAKE_AGAIN
    }

    /**
     * What is to be done about a file system that is there. It is made again only if three things come together: the note says that making
     * it was begun and not that it ended, its UUID is the one of the note, and the superblock itself proves that it was never mounted. The
     * note alone is no proof: that of a node stays pending while another node uses the disk.
     *
     * @param superblock what is read past every cache
     */
    static Outcome<Step> step(
            BlockDevice device,
            Signature found,
            Optional<Superblock> superblock,
            Optional<FormatNote> note,
            String where) {
        Optional<Superblock> shown = superblock.filter(
                block -> block.type().equals(FileSystemTools.isExt(found.type()) ? "ext" : found.type()));
        boolean begun = note.filter(FormatNote::pending).isPresent();
        if (begun && !found.uuid().equals(note.map(FormatNote::uuid))) {
            return Outcome.refused(
                    Refusal.CORRUPT,
                    "making " + note.get().done() + " was begun on " + device.path() + ", but another " + found.type()
                            + " is there; to have it mounted, remove the note (" + where
                            + "); if nothing on it is needed, wipe it (" + wiping(device) + ")");
        }
        Life life = shown.map(Superblock::life).orElse(Life.MAYBE_MOUNTED);
        if (begun
                && life != Life.MAYBE_MOUNTED
                && note.filter(pending -> pending.begun(shown.orElseThrow())).isPresent()) {
            return Outcome.done(Step.MAKE_AGAIN);
        }
        if (life == Life.UNFINISHED) {
            String noted = note.isPresent() ? " and remove the note (" + where + ")" : "";
            return Outcome.refused(
                    Refusal.CORRUPT,
                    "the creation of the " + found.type() + " on " + device.path()
                            + " was not finished; if nothing on it is needed, wipe it (" + wiping(device) + ")"
                            + noted);
        }
        return Outcome.done(Step.TAKE);
    }
}
