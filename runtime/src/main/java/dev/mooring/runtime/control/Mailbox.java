// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Set;
import org.apiguardian.api.API;

/** Where a controller says which of its keys have to be decided again. Mail for one key coalesces. Confined to the decider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Mailbox {
    /** Asks for a decision because something that the key depends on has changed: ends its back-offs. */
    void inputChanged(Key key);

    /** Asks for a decision without ending back-offs, as for the echo of an own write or a freed reservation. */
    void recheck(Key key);

    /**
     * Says which objects something of the controller needs to know, in place of those that it needed before. Has a meaning for kinds whose
     * objects are followed one by one ({@link dev.mooring.runtime.cache.Interest#oneByOne}). An object that is needed no more leaves the
     * caches. Does nothing where the mailbox belongs to no loop.
     *
     * @param what what needs them, such as a pod's uid; unique within the controller
     * @param needed the objects; none to need nothing
     */
    default void needs(String what, Set<ObjectName> needed) {}
}
