// SPDX-License-Identifier: Apache-2.0
/** A simulated cluster that goes with the wall clock. */
@NullMarked
package dev.mooring.junit.world;

import org.jspecify.annotations.NullMarked;
