// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.util.Map;
import picocli.CommandLine;

/** Mooring's command line for tests of other packages. */
public final class CommandLines {
    private CommandLines() {}

    /** One whose options are told by this environment, unless a flag is about them. */
    public static CommandLine of(Map<String, String> environment) {
        return Main.commandLine(environment);
    }
}
