// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes' objects as immutable records, as far as persistent storage reads or writes them. Component names are the field names; an
 * absent scalar or object is an empty {@link java.util.Optional} or an empty text, an absent list or map is empty; nothing is null.
 */
@NullMarked
package dev.mooring.storage.model;

import org.jspecify.annotations.NullMarked;
