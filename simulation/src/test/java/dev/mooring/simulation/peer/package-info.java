// SPDX-License-Identifier: Apache-2.0
/** A model of how kube-controller-manager attaches and detaches, to show what its rules do where ours do not. */
@NullMarked
package dev.mooring.simulation.peer;

import org.jspecify.annotations.NullMarked;
