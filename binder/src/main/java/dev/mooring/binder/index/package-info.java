// SPDX-License-Identifier: Apache-2.0
/**
 * The ordered indexes behind matching: {@link dev.mooring.binder.index.VolumeIndex} answers which volume a claim gets, {@link
 * dev.mooring.binder.index.WaitingClaims} which claim a volume is offered to.
 *
 * <p>Not exported. Everything here is confined to the decider's thread, reads no clock, draws no random number and answers the same
 * for the same history of calls.
 */
@NullMarked
package dev.mooring.binder.index;

import org.jspecify.annotations.NullMarked;
