// SPDX-License-Identifier: Apache-2.0
/** Everything in one process on one machine, for kubectl. */
@NullMarked
package dev.mooring.distribution.standalone;

import org.jspecify.annotations.NullMarked;
