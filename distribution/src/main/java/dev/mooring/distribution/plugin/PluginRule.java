// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

/** What has to hold for an entry of the plugins' directory, so that it can be used. */
public enum PluginRule {
    /** A plugin is a directory with jars; this is a jar beside them, or cannot be listed. */
    DIRECTORY,
    /** There is a jar in it. */
    JARS,
    /** Each jar can be read, and no two of them are one module. */
    READABLE,
    /** What its modules require lies beside them or is one of Mooring's or of the JDK's modules. */
    COMPLETE,
    /** Its modules go together with each other and with Mooring's: no package is in two of them. */
    CONSISTENT,
    /** One of its modules provides a plugin. */
    PROVIDER,
    /** The plugin can be made, and says what it is. */
    WORKING,
    /** Neither its name nor a source type of it is another plugin's. */
    UNIQUE
}
