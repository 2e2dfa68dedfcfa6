// SPDX-License-Identifier: Apache-2.0
/**
 * Block devices: what they are, who uses them, and what stands on them. Reads only, but for what the kernel is asked to do with one.
 */
@NullMarked
package dev.mooring.host.linux.device;

import org.jspecify.annotations.NullMarked;
