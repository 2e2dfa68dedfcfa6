// SPDX-License-Identifier: Apache-2.0
/** What a large cluster costs a controller. */
@NullMarked
package dev.mooring.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
