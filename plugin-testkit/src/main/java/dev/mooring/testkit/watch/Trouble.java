// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

/** What befalls a call at one of the changes that it asks of its host. */
public enum Trouble {
    /** Nothing. */
    NONE("nothing"),
    /** The machine dies before the change. */
    CRASH_BEFORE("the machine died before"),
    /** The machine dies after the change, before its answer. */
    CRASH_AFTER("the machine died after"),
    /** The call is cancelled before the change, which is carried out. */
    CANCEL("the call was cancelled at"),
    /** The host cannot do it for now. */
    DEFER("the host deferred"),
    /** The host has done it, and does not know. */
    FORGET("the host was uncertain after"),
    /** The host has not done it, and does not know. */
    MISS("the host was uncertain, without having done");

    private final String words;

    Trouble(String words) {
        this.words = words;
    }

    /** For people; followed by the name of the change. */
    public String words() {
        return words;
    }
}
