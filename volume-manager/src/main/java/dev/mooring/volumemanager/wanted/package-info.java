// SPDX-License-Identifier: Apache-2.0
/**
 * What the pods of a node want: which volumes, as what and how, from claims, volumes, classes and the pods themselves. Pure; knows
 * nothing of what is done about it.
 */
@NullMarked
package dev.mooring.volumemanager.wanted;

import org.jspecify.annotations.NullMarked;
