// SPDX-License-Identifier: Apache-2.0
/** Random worlds from the command line: threads, progress, and what is said at the end. */
@NullMarked
package dev.mooring.distribution.simulate;

import org.jspecify.annotations.NullMarked;
