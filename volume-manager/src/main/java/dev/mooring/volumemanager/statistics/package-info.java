// SPDX-License-Identifier: Apache-2.0
/** How full the volumes of a node are (semantics/attach-and-mount §3.17). */
@NullMarked
package dev.mooring.volumemanager.statistics;

import org.jspecify.annotations.NullMarked;
