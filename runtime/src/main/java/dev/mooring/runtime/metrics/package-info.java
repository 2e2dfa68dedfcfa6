// SPDX-License-Identifier: Apache-2.0
/** Metrics as plain data, for whoever publishes them. */
@NullMarked
package dev.mooring.runtime.metrics;

import org.jspecify.annotations.NullMarked;
