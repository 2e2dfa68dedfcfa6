// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

/**
 * One value of an option that takes several, such as a setting of a plugin.
 *
 * @param group what it belongs to, such as the plugin
 * @param groupLine where that stands, from 1
 * @param name its name there
 * @param value its value
 * @param line where its name stands, from 1
 */
public record Pair(String group, int groupLine, String name, String value, int line) {
    /** As it is said on the command line. */
    String text() {
        return group + ":" + name + "=" + value;
    }
}
