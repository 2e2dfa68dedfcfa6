// SPDX-License-Identifier: Apache-2.0
/**
 * How a host holds its plugins and calls them: {@link dev.mooring.runtime.plugin.PluginRegistry} finds the plugin of a volume, {@link
 * dev.mooring.runtime.plugin.TicketContext} is the context of a call that the control loop asked for.
 */
@NullMarked
package dev.mooring.runtime.plugin;

import org.jspecify.annotations.NullMarked;
