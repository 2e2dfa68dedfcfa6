// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Locale;
import java.util.Map;

/**
 * What an exit of {@code iscsiadm} means, once the kernel was asked what there is (semantics/plugins §3.2). The code and the text only
 * choose a reason; what was seen decides. Pure.
 */
final class IscsiExit {
    /** No exit code: the tool was killed. */
    static final int KILLED = -1;

    static final int SESSION_NOT_FOUND = 2;
    static final int DATA_BASE = 6;
    static final int EXISTS = 15;
    static final int NOTHING_FOUND = 21;
    static final int AUTHENTICATION_FAILED = 24;

    private static final int LOGIN_FAILED = 5;
    private static final int FATAL_LOGIN = 19;
    private static final int HOST_NOT_FOUND = 23;
    private static final int REPETITIONS = 3;

    private static final String DEFER = "F";
    private static final String UNCERTAIN = "U";

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "error"),
            Map.entry(2, "no such session"),
            Map.entry(3, "no memory"),
            Map.entry(4, "cannot connect"),
            Map.entry(5, "login failed"),
            Map.entry(6, "record data base"),
            Map.entry(7, "invalid argument"),
            Map.entry(8, "connecting took too long"),
            Map.entry(9, "internal error"),
            Map.entry(10, "logout failed"),
            Map.entry(11, "no answer in time"),
            Map.entry(12, "no such transport: kernel module iscsi_tcp is missing"),
            Map.entry(13, "no permission"),
            Map.entry(14, "not supported by the transport"),
            Map.entry(15, "exists"),
            Map.entry(16, "iscsiadm and iscsid do not fit together"),
            Map.entry(18, "no talking to iscsid"),
            Map.entry(19, "the target refuses the login for good"),
            Map.entry(20, "iscsid is not running"),
            Map.entry(21, "nothing found"),
            Map.entry(22, "kernel files not found"),
            Map.entry(23, "host not found"),
            Map.entry(24, "the target does not accept the name or the secret"),
            Map.entry(27, "not supported"),
            Map.entry(28, "busy"),
            Map.entry(29, "again later"),
            Map.entry(30, "unknown kind of discovery"),
            Map.entry(31, "a child process died"),
            Map.entry(32, "session not connected"),
            Map.entry(33, "no answer in time"));

    /** Beginning a session, and asking a portal for targets. Codes that are not there are uncertain. */
    private static final Map<Integer, String> STARTING = Map.ofEntries(
            Map.entry(2, DEFER),
            Map.entry(3, DEFER),
            Map.entry(4, DEFER),
            Map.entry(5, DEFER),
            Map.entry(6, DEFER),
            Map.entry(7, "INVALID"),
            Map.entry(8, DEFER),
            Map.entry(12, "UNSUPPORTED"),
            Map.entry(13, "DENIED"),
            Map.entry(14, "UNSUPPORTED"),
            Map.entry(15, DEFER),
            Map.entry(16, "INCOMPATIBLE"),
            Map.entry(17, DEFER),
            Map.entry(19, "DENIED"),
            Map.entry(20, DEFER),
            Map.entry(21, DEFER),
            Map.entry(23, DEFER),
            Map.entry(24, "DENIED"),
            Map.entry(25, DEFER),
            Map.entry(26, DEFER),
            Map.entry(27, "UNSUPPORTED"),
            Map.entry(28, DEFER),
            Map.entry(29, DEFER),
            Map.entry(30, "INVALID"),
            Map.entry(32, DEFER));

    /** Ending a session and removing a record. Codes that are not there are uncertain. */
    private static final Map<Integer, String> ENDING = Map.ofEntries(
            Map.entry(3, DEFER),
            Map.entry(6, DEFER),
            Map.entry(7, "INVALID"),
            Map.entry(13, "DENIED"),
            Map.entry(15, "IN_USE"),
            Map.entry(16, "INCOMPATIBLE"),
            Map.entry(17, DEFER),
            Map.entry(20, DEFER),
            Map.entry(25, DEFER),
            Map.entry(26, DEFER),
            Map.entry(27, "UNSUPPORTED"),
            Map.entry(28, "IN_USE"),
            Map.entry(29, DEFER));

    private IscsiExit() {}

    /** What was to be done. */
    enum Action {
        LOGIN,
        DISCOVERY,
        LOGOUT,
        DELETE,
        /** Making or changing a record, which has no effect outside of the data base. */
        RECORD
    }

    /** What the kernel, or the directory of records, shows afterwards. */
    enum Seen {
        PRESENT,
        ABSENT,
        UNKNOWN
    }

    /**
     * The outcome.
     *
     * @param code the exit code, or {@link #KILLED}
     * @param text what the tool said; it only chooses between reasons
     * @param seen whether there is a session now (login, logout) or a record (delete, record)
     * @param attempt how many times this was tried, from 1
     */
    static Outcome<Nothing> outcome(Action action, int code, String text, Seen seen, int attempt) {
        String why = why(action, code, text);
        return switch (action) {
            case LOGIN -> seen == Seen.PRESENT ? Outcome.done() : login(code, text, why, attempt);
            case DISCOVERY -> code == 0 || code == NOTHING_FOUND ? Outcome.done() : starting(code, text, why, attempt);
            case LOGOUT, DELETE -> ending(code, why, seen);
            case RECORD -> record(code, why);
        };
    }

    /** A session that exists and cannot be seen is still logging in, started by an agent that was killed, for example. */
    private static Outcome<Nothing> login(int code, String text, String why, int attempt) {
        return code == EXISTS ? Outcome.uncertain(why) : starting(code, text, why, attempt);
    }

    private static Outcome<Nothing> starting(int code, String text, String why, int attempt) {
        if (code == LOGIN_FAILED && attempt >= REPETITIONS) {
            return Outcome.refused(Refusal.INCOMPATIBLE, why);
        }
        if (code == FATAL_LOGIN && text.toLowerCase(Locale.ROOT).contains("not found")) {
            return Outcome.refused(Refusal.NOT_FOUND, why);
        }
        return outcome(STARTING.getOrDefault(code, UNCERTAIN), why);
    }

    private static Outcome<Nothing> ending(int code, String why, Seen seen) {
        boolean nothingThere = code == SESSION_NOT_FOUND || code == NOTHING_FOUND || code == HOST_NOT_FOUND;
        if (seen == Seen.ABSENT || (seen == Seen.UNKNOWN && (code == 0 || nothingThere))) {
            return Outcome.done();
        }
        return outcome(ENDING.getOrDefault(code, UNCERTAIN), why);
    }

    private static Outcome<Nothing> record(int code, String why) {
        if (code == 0 || code == EXISTS) {
            return Outcome.done();
        }
        String verdict = STARTING.getOrDefault(code, DEFER);
        return outcome(verdict.equals(UNCERTAIN) ? DEFER : verdict, why);
    }

    private static Outcome<Nothing> outcome(String verdict, String why) {
        return switch (verdict) {
            case DEFER -> Outcome.deferred(why);
            case UNCERTAIN -> Outcome.uncertain(why);
            default -> Outcome.refused(Refusal.valueOf(verdict), why);
        };
    }

    private static String why(Action action, int code, String text) {
        String what = action.name().toLowerCase(Locale.ROOT);
        String said = text.isBlank() ? "" : ": " + text;
        return code == KILLED
                ? what + " was interrupted; it may still take effect"
                : what + " failed (" + code + ", " + NAMES.getOrDefault(code, "unknown") + ")" + said;
    }
}
