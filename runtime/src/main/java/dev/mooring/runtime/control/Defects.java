// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import org.apiguardian.api.API;

/**
 * Separates what foreign code throws from what the machine throws. A broken plugin, listener or controller delays only its own work; a
 * machine without memory ends the process.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Defects {
    private Defects() {}

    /**
     * Throws on what is the machine's.
     *
     * @param thrown what was caught; never null
     */
    public static void throwTheMachines(Throwable thrown) {
        if (thrown instanceof ThreadDeath death) {
            throw death;
        } else if (thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError)) {
            throw error;
        }
    }

    /** The same as an exception; never null. */
    static RuntimeException asException(Throwable defect) {
        return defect instanceof RuntimeException exception
                ? exception
                : new IllegalStateException("a controller failed", defect);
    }
}
