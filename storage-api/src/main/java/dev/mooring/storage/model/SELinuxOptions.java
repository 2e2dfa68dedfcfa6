// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * The SELinux label of a process; a part that is empty is left to the machine.
 *
 * @param user the user part
 * @param role the role part
 * @param type the type part
 * @param level the level part, such as {@code s0:c123,c456}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record SELinuxOptions(String user, String role, String type, String level)
        implements SELinuxOptionsBuilder.With {
    /** Nothing set. */
    public static final SELinuxOptions EMPTY = new SELinuxOptions("", "", "", "");
}
