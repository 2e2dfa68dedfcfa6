// SPDX-License-Identifier: Apache-2.0
/** All benchmarks in one go, as ratios. */
@NullMarked
package dev.mooring.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
