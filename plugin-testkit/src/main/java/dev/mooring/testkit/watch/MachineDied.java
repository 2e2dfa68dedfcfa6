// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

/** Ends a call as a loss of power does. Only who catches everything sees it, and can do nothing any more either. */
public final class MachineDied extends Error {
    private static final long serialVersionUID = 1;

    MachineDied() {
        super("the machine died", null, false, false);
    }
}
