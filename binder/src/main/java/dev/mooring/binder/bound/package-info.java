// SPDX-License-Identifier: Apache-2.0
/** What the controllers share that change claims after they were bound: who serves the volume, and what the claim's status tells. */
@NullMarked
package dev.mooring.binder.bound;

import org.jspecify.annotations.NullMarked;
