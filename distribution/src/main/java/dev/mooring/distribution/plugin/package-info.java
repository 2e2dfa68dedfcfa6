// SPDX-License-Identifier: Apache-2.0
/** Plugins that were not built with this program: one module layer per directory, above Mooring's own modules. */
@NullMarked
package dev.mooring.distribution.plugin;

import org.jspecify.annotations.NullMarked;
