// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
    static final String VERSION = "0.1.0";

    @Override
    public String[] getVersion() {
        return new String[] {
            "mooring " + VERSION,
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
