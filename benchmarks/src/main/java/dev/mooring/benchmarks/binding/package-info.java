// SPDX-License-Identifier: Apache-2.0
/** Whole bindings: the real control loop and binder on a store in memory. */
@NullMarked
package dev.mooring.benchmarks.binding;

import org.jspecify.annotations.NullMarked;
