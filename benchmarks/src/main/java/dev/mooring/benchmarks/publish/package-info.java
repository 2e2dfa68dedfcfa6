// SPDX-License-Identifier: Apache-2.0
/** How long a pod waits for its volumes on a real kernel, and what that costs beside many that are mounted already. */
@NullMarked
package dev.mooring.benchmarks.publish;

import org.jspecify.annotations.NullMarked;
