// SPDX-License-Identifier: Apache-2.0
/** Models of how kube-controller-manager attaches, detaches and binds, to show what its rules do where ours do not. */
@NullMarked
package dev.mooring.simulation.peer;

import org.jspecify.annotations.NullMarked;
