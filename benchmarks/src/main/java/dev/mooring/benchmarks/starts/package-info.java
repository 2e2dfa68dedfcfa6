// SPDX-License-Identifier: Apache-2.0
/** How long it takes to start what is started in a process. */
@NullMarked
package dev.mooring.benchmarks.starts;

import org.jspecify.annotations.NullMarked;
