// SPDX-License-Identifier: Apache-2.0
/**
 * Gives volumes the attributes of the VolumeAttributesClass that their claim names (semantics/binder §3.5). {@link
 * dev.mooring.binder.modification.ModificationGoal} decides which class to go for; {@link dev.mooring.binder.modification.ModifyingVolume}
 * gets there.
 */
@NullMarked
package dev.mooring.binder.modification;

import org.jspecify.annotations.NullMarked;
