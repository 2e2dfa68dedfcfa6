// SPDX-License-Identifier: Apache-2.0
/**
 * Judges objects, and answers with what is wrong: whether a claim or a volume says something that can be acted upon ({@link
 * dev.mooring.binder.checks.ClaimChecks}, {@link dev.mooring.binder.checks.VolumeChecks}), whether the two fit each other ({@link
 * dev.mooring.binder.checks.PrebindCheck}), and what a claim that was read live proves ({@link
 * dev.mooring.binder.checks.LiveClaim}). Pure functions of what they are given.
 *
 * <p>Not exported.
 */
@NullMarked
package dev.mooring.binder.checks;

import org.jspecify.annotations.NullMarked;
