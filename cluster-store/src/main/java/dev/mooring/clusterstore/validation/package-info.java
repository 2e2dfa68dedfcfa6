// SPDX-License-Identifier: Apache-2.0
/** What the API server refuses: rules per kind as pure functions over documents (semantics/binder §1.12). */
@NullMarked
package dev.mooring.clusterstore.validation;

import org.jspecify.annotations.NullMarked;
