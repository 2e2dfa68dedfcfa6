// SPDX-License-Identifier: Apache-2.0
/** How drivers become a node's: their registration sockets, and what Node and CSINode say of them. */
@NullMarked
package dev.mooring.plugin.csi.registration;

import org.jspecify.annotations.NullMarked;
