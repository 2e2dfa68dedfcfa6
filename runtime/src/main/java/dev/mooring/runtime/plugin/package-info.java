// SPDX-License-Identifier: Apache-2.0
/** How a host holds its plugins and calls them. */
@NullMarked
package dev.mooring.runtime.plugin;

import org.jspecify.annotations.NullMarked;
