// SPDX-License-Identifier: Apache-2.0
/**
 * Volumes of CSI drivers: a node and the controllers call it by its socket.
 *
 * <p>On a node one plugin serves the volumes of all drivers, as the kubelet's does ({@link dev.mooring.plugin.csi.CsiVolumes}). In the
 * controllers each driver that Mooring serves is a plugin of its own name ({@link dev.mooring.plugin.csi.CsiDriverPlugin}).
 */
@NullMarked
package dev.mooring.plugin.csi;

import org.jspecify.annotations.NullMarked;
