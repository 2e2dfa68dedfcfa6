// SPDX-License-Identifier: Apache-2.0
/** Matching volumes to claims. */
@NullMarked
package dev.mooring.benchmarks.index;

import org.jspecify.annotations.NullMarked;
