// SPDX-License-Identifier: Apache-2.0
/**
 * Runs controllers on threads: {@link dev.mooring.runtime.ControllerRuntime} is what an embedder starts, asks and closes.
 */
@NullMarked
package dev.mooring.runtime;

import org.jspecify.annotations.NullMarked;
