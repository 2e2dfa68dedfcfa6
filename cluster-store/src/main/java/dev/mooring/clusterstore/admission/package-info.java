// SPDX-License-Identifier: Apache-2.0
/** What the API server's storage plugins add or forbid, one class each (semantics/binder §1.12). */
@NullMarked
package dev.mooring.clusterstore.admission;

import org.jspecify.annotations.NullMarked;
