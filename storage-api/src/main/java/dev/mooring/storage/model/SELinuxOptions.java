// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record SELinuxOptions(String user, String role, String type, String level) {
    /** Nothing set. */
    public static final SELinuxOptions EMPTY = new SELinuxOptions("", "", "", "");

    /** The same with another user. */
    public SELinuxOptions withUser(String newUser) {
        return new SELinuxOptions(newUser, role, type, level);
    }

    /** The same with another role. */
    public SELinuxOptions withRole(String newRole) {
        return new SELinuxOptions(user, newRole, type, level);
    }

    /** The same with another type. */
    public SELinuxOptions withType(String newType) {
        return new SELinuxOptions(user, role, newType, level);
    }

    /** The same with another level. */
    public SELinuxOptions withLevel(String newLevel) {
        return new SELinuxOptions(user, role, type, newLevel);
    }
}
