// SPDX-License-Identifier: Apache-2.0
/**
 * The binder's decisions. Read {@link dev.mooring.binder.control.BinderController} for what wakes whom, {@link
 * dev.mooring.binder.control.ClaimDecider} and {@link dev.mooring.binder.control.VolumeDecider} for what is decided, {@link
 * dev.mooring.binder.control.Transitions} for what is written.
 */
@NullMarked
package dev.mooring.binder.control;

import org.jspecify.annotations.NullMarked;
