// SPDX-License-Identifier: Apache-2.0
/** CSI drivers in the processes of this program: the layer of modules that calls them, and which drivers are served. */
@NullMarked
package dev.mooring.distribution.csi;

import org.jspecify.annotations.NullMarked;
