// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.CommandResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an unsuccessful run of {@code mount.nfs} means once the mount table has shown that nothing is mounted (semantics/plugins §2.3).
 * The texts only refine: an unknown text is uncertain. Pure.
 */
final class MountAnswer {
    /** What follows from a text. */
    enum Meaning {
        /** Refused until a user changes something. */
        FINAL,
        /** Surely not mounted; worth another attempt. */
        LATER,
        /** Worth another attempt while the server may still be starting, then final. */
        WHILE_STARTING
    }

    /**
     * A row of the table.
     *
     * @param text what the tool says, in lower case
     * @param meaning what follows
     * @param refusal the class of reason if it is final
     * @param hint for people; may be empty
     */
    record Row(String text, Meaning meaning, Refusal refusal, String hint) {
        static Row last(String text, Refusal refusal, String hint) {
            return new Row(text, Meaning.FINAL, refusal, hint);
        }

        static Row later(String text) {
            return later(text, "");
        }

        static Row later(String text, String hint) {
            return new Row(text, Meaning.LATER, Refusal.NOT_FOUND, hint);
        }

        static Row whileStarting(String text) {
            return new Row(text, Meaning.WHILE_STARTING, Refusal.INCOMPATIBLE, "");
        }
    }

    /** The first row whose text occurs counts. */
    static final List<Row> ROWS = List.of(
            Row.last(
                    "rpc.statd is not running but is required",
                    Refusal.UNSUPPORTED,
                    "this node has no rpc.statd: use option nolock, or NFS version 4"),
            Row.last(
                    "access denied by server while mounting",
                    Refusal.DENIED,
                    "the server does not export it to this node"),
            Row.last(
                    "reason given by server: no such file or directory",
                    Refusal.NOT_FOUND,
                    "the server has no such path"),
            Row.later("does not exist"),
            Row.last("an incorrect mount option was specified", Refusal.INVALID, ""),
            Row.last("is not a directory", Refusal.INVALID, ""),
            Row.whileStarting("requested nfs version or transport protocol is not supported"),
            Row.whileStarting("protocol not supported"),
            Row.later("connection refused"),
            Row.later("no route to host"),
            Row.later("network is unreachable"),
            Row.later("connection timed out"),
            Row.later("connection reset"),
            Row.later("failed to resolve server"),
            Row.later("name or service not known"),
            Row.later("temporary failure in name resolution"),
            Row.later("stale file handle"),
            Row.later("stale nfs file handle"),
            Row.last("is busy or already mounted", Refusal.IN_USE, ""),
            Row.last("unknown filesystem type", Refusal.UNSUPPORTED, "this node's kernel has no NFS client"),
            Row.last("no such device", Refusal.UNSUPPORTED, "this node's kernel has no NFS client"),
            Row.last("helper program", Refusal.UNSUPPORTED, "this node has no NFS tools"),
            Row.last("/sbin/mount.", Refusal.UNSUPPORTED, "this node has no NFS tools"),
            Row.last(
                    "no space left on device",
                    Refusal.EXHAUSTED,
                    "the mount table is full: unmount what is not needed, or raise fs.mount-max, which \"sysctl"
                            + " fs.mount-max\" shows"),
            Row.later(
                    "too many open files in system",
                    "the machine has as many files open as it may: raise fs.file-max, which \"sysctl fs.file-max\""
                            + " shows"),
            Row.later(
                    "too many open files",
                    "the mount command has as many files open as it may: raise the limit (ulimit -n, or LimitNOFILE="
                            + " of the systemd unit)"),
            Row.later("cannot allocate memory"),
            Row.later("resource temporarily unavailable"),
            Row.later("mount system call failed"),
            Row.later("input/output error"),
            Row.later("remote i/o error"),
            Row.last(
                    "operation not permitted",
                    Refusal.DENIED,
                    "this node may not mount, or the server requires a privileged port or Kerberos"));

    private MountAnswer() {}

    /**
     * Judges a run that left no mount behind.
     *
     * @param result how the tool ended; not with success
     * @param maybeStarting whether the server may have been started a moment ago
     */
    static <T> Outcome<T> judge(CommandResult result, boolean maybeStarting) {
        return judge(result, List.of(), maybeStarting);
    }

    /**
     * Judges a run that left no mount behind.
     *
     * @param names what the tool repeats of what it was given: others chose these texts, so they tell nothing
     */
    static <T> Outcome<T> judge(CommandResult result, List<String> names, boolean maybeStarting) {
        return switch (result.ending()) {
            case STILL_RUNNING -> Outcome.uncertain("the mount command cannot be ended and may still mount");
            // the child is gone and the table was read after that
            case KILLED -> Outcome.deferred("the server did not answer in time");
            case EXITED -> byText(result, names, maybeStarting);
        };
    }

    private static <T> Outcome<T> byText(CommandResult result, List<String> names, boolean maybeStarting) {
        if (result.exitCode() == 0) {
            return Outcome.uncertain("the mount command succeeded, but nothing is mounted");
        }
        Optional<Row> row = row(result, names);
        String why = result.complaint()
                + row.map(Row::hint)
                        .filter(hint -> !hint.isEmpty())
                        .map(hint -> " (" + hint + ")")
                        .orElse("");
        if (row.isEmpty()) {
            return Outcome.uncertain("exit code " + result.exitCode() + ": " + why);
        }
        boolean later = row.get().meaning() == Meaning.LATER
                || (maybeStarting && row.get().meaning() == Meaning.WHILE_STARTING);
        return later ? Outcome.deferred(why) : Outcome.refused(row.get().refusal(), why);
    }

    private static Optional<Row> row(CommandResult result, List<String> names) {
        String text = result.standardError() + "\n" + result.standardOutput();
        for (String name : names) {
            text = text.replace(name, "");
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return ROWS.stream().filter(row -> lower.contains(row.text())).findFirst();
    }

    /** Whether the text says that the server does not speak the version asked for, which a server that just starts says too. */
    static boolean saysUnsupported(CommandResult result, List<String> names) {
        return row(result, names)
                .filter(row -> row.meaning() == Meaning.WHILE_STARTING)
                .isPresent();
    }
}
