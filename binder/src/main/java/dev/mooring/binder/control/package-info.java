// SPDX-License-Identifier: Apache-2.0
/**
 * The binder's decisions. Read {@link dev.mooring.binder.control.BinderController} for which change wakes which key, {@link
 * dev.mooring.binder.control.ClaimDecider} and {@link dev.mooring.binder.control.VolumeDecider} for what is decided, {@link
 * dev.mooring.binder.control.Transitions} for what is written.
 *
 * <p>{@code docs/inside/architecture.md} has a picture of which change wakes which key.
 *
 * <p>What these ask stands beside them: {@link dev.mooring.binder.checks} judges objects, {@link dev.mooring.binder.uses} knows who uses
 * them, {@link dev.mooring.binder.placement} chooses nodes. The other controllers are in packages of their own: {@link
 * dev.mooring.binder.protection}, {@link dev.mooring.binder.ephemeral}, {@link dev.mooring.binder.expansion}, {@link
 * dev.mooring.binder.modification}.
 */
@NullMarked
package dev.mooring.binder.control;

import org.jspecify.annotations.NullMarked;
