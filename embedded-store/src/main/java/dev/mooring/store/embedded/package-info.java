// SPDX-License-Identifier: Apache-2.0
/** What a single machine keeps on its disk. */
@NullMarked
package dev.mooring.store.embedded;

import org.jspecify.annotations.NullMarked;
