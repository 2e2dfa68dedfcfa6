// SPDX-License-Identifier: Apache-2.0
/**
 * Plays scenario files: stories told to the control plane in virtual time. {@link dev.mooring.simulation.Player} is the whole of it for
 * those who only want to play; {@link dev.mooring.simulation.virtual} is for those who build worlds of their own.
 */
@NullMarked
package dev.mooring.simulation;

import org.jspecify.annotations.NullMarked;
