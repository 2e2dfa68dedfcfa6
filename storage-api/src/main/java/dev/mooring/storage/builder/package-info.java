// SPDX-License-Identifier: Apache-2.0
/** How builders of records are generated: an annotation for the compiler, nothing at run time. */
@NullMarked
package dev.mooring.storage.builder;

import org.jspecify.annotations.NullMarked;
