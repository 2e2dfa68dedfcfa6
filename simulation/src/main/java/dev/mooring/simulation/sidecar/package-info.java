// SPDX-License-Identifier: Apache-2.0
/** Stand-ins for programs of others that run beside the control plane and speak to it by objects only, as CSI's sidecars do. */
@NullMarked
package dev.mooring.simulation.sidecar;

import org.jspecify.annotations.NullMarked;
