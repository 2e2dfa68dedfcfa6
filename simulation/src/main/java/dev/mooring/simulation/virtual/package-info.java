// SPDX-License-Identifier: Apache-2.0
/**
 * Control loops in virtual time: the second interpreter of the effects that {@link dev.mooring.runtime.control.ControlLoop}s decide.
 * A {@link dev.mooring.simulation.virtual.VirtualWorld} holds processes, carries out one effect after the other in an order that a
 * seed decides, and lets time pass only when it is told to. No thread is started and no real clock is read; everything here is
 * confined to the thread that calls it.
 */
@NullMarked
package dev.mooring.simulation.virtual;

import org.jspecify.annotations.NullMarked;
