// SPDX-License-Identifier: Apache-2.0
/** A plugin, served as a driver and called as one. */
@NullMarked
package dev.mooring.csi.server.circle;

import org.jspecify.annotations.NullMarked;
