// SPDX-License-Identifier: Apache-2.0

/**
 * Channels to CSI drivers and servers for them, over unix sockets. {@link dev.mooring.csi.CsiTransport} is the entry: it connects and
 * serves.
 */
@NullMarked
package dev.mooring.csi;

import org.jspecify.annotations.NullMarked;
