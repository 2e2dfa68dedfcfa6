// SPDX-License-Identifier: Apache-2.0
/** What the author of a plugin subclasses: {@link dev.mooring.testkit.PluginConformance}. */
@NullMarked
package dev.mooring.testkit;

import org.jspecify.annotations.NullMarked;
