// SPDX-License-Identifier: Apache-2.0
/**
 * System calls as methods ({@link dev.mooring.host.linux.kernel.Kernel}), what they hold and answer, and how long they may take. Knows
 * nothing of volumes.
 */
@NullMarked
package dev.mooring.host.linux.kernel;

import org.jspecify.annotations.NullMarked;
