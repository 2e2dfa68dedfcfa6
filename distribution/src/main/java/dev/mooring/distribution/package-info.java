// SPDX-License-Identifier: Apache-2.0
/** The command line. */
@NullMarked
package dev.mooring.distribution;

import org.jspecify.annotations.NullMarked;
