// SPDX-License-Identifier: Apache-2.0
/** How the long-running commands log: lines for people or for machines, on standard error. */
@NullMarked
package dev.mooring.distribution.logging;

import org.jspecify.annotations.NullMarked;
