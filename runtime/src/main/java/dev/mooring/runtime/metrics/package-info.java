// SPDX-License-Identifier: Apache-2.0
/** Metrics as plain data, for a publisher. */
@NullMarked
package dev.mooring.runtime.metrics;

import org.jspecify.annotations.NullMarked;
