// SPDX-License-Identifier: Apache-2.0
/** Collections that take little memory; not exported. */
@NullMarked
package dev.mooring.storage.compact;

import org.jspecify.annotations.NullMarked;
