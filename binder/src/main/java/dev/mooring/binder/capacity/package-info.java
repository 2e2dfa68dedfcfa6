// SPDX-License-Identifier: Apache-2.0
/** How much storage drivers have left, told to schedulers by CSIStorageCapacity objects. */
@NullMarked
package dev.mooring.binder.capacity;

import org.jspecify.annotations.NullMarked;
