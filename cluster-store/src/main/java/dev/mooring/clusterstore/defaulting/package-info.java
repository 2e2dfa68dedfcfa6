// SPDX-License-Identifier: Apache-2.0
/** What the API server fills in: rules per kind as pure functions over documents (semantics/binder §1.12). */
@NullMarked
package dev.mooring.clusterstore.defaulting;

import org.jspecify.annotations.NullMarked;
