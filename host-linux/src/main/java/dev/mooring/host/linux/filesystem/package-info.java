// SPDX-License-Identifier: Apache-2.0
/**
 * File systems on devices: when one may be made ({@link dev.mooring.host.linux.filesystem.FormatRule}), checked and grown.
 */
@NullMarked
package dev.mooring.host.linux.filesystem;

import org.jspecify.annotations.NullMarked;
