// SPDX-License-Identifier: Apache-2.0
/**
 * The door for embedders: {@link dev.mooring.controlplane.ControlPlane} has all controllers of a cluster's volumes, {@link
 * dev.mooring.controlplane.NodeAgent} looks after the volumes of one node.
 */
@NullMarked
package dev.mooring.controlplane;

import org.jspecify.annotations.NullMarked;
