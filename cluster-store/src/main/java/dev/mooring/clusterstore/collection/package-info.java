// SPDX-License-Identifier: Apache-2.0
/** Garbage collection by owner references, decided as a pure function. */
@NullMarked
package dev.mooring.clusterstore.collection;

import org.jspecify.annotations.NullMarked;
