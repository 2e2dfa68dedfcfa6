// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.host.CommandResult;

/**
 * How a run of a tool ends.
 *
 * @param result what the caller is told
 * @param mounts whether the mount is there all the same
 */
record ScriptedRun(CommandResult result, boolean mounts) {
    static ScriptedRun fails(int code, String text) {
        return new ScriptedRun(new CommandResult(CommandResult.Ending.EXITED, code, "", text), false);
    }

    static ScriptedRun ends(CommandResult.Ending ending) {
        return new ScriptedRun(
                new CommandResult(ending, ending == CommandResult.Ending.STILL_RUNNING ? -1 : 137, "", ""), false);
    }

    ScriptedRun butMounts() {
        return new ScriptedRun(result, true);
    }
}
