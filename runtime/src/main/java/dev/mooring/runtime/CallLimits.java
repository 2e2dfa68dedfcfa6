// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import org.apiguardian.api.API;

/**
 * How many calls may be in flight at once (semantics/attach-and-mount §7.6). A call has to have a place in each of the three; those that
 * wait for one begin in the order in which they were decided on. What hangs keeps its places.
 *
 * @param perPlugin calls to one plugin ({@link dev.mooring.runtime.control.CallHandler#pluginShare})
 * @param perNode calls that are about one node ({@link dev.mooring.runtime.control.CallHandler#nodeShare})
 * @param perBackend calls to one back-end ({@link dev.mooring.runtime.control.CallHandler#bulkhead})
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CallLimits(int perPlugin, int perNode, int perBackend) {
    /** 64, 8 and 32. */
    public static final CallLimits DEFAULT = new CallLimits(64, 8, 32);

    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if one of them is less than 1; the message names it
     */
    public CallLimits {
        check("perPlugin", perPlugin);
        check("perNode", perNode);
        check("perBackend", perBackend);
    }

    private static void check(String name, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + limit);
        }
    }
}
