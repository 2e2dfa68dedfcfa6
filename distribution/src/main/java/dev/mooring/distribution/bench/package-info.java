// SPDX-License-Identifier: Apache-2.0
/** {@code mooring bench}: measures the controllers against a real API server. */
@NullMarked
package dev.mooring.distribution.bench;

import org.jspecify.annotations.NullMarked;
