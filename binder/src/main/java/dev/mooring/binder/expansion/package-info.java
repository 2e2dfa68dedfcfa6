// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the volumes of claims larger that ask for more than they have (semantics/binder §3.5). {@link
 * dev.mooring.binder.expansion.ExpansionGoal} decides what size to go for; {@link dev.mooring.binder.expansion.Expanding} gets there.
 */
@NullMarked
package dev.mooring.binder.expansion;

import org.jspecify.annotations.NullMarked;
