// SPDX-License-Identifier: Apache-2.0
/** The control plane put together: which parts there are and how they are tied to each other. */
@NullMarked
package dev.mooring.distribution.wiring;

import org.jspecify.annotations.NullMarked;
