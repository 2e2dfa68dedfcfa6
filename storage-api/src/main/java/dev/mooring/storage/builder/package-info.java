// SPDX-License-Identifier: Apache-2.0
/** How builders of records are generated; not exported. */
@NullMarked
package dev.mooring.storage.builder;

import org.jspecify.annotations.NullMarked;
