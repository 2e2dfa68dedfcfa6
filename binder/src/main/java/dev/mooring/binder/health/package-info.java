// SPDX-License-Identifier: Apache-2.0
/** Whether volumes are in good order, as their drivers see it from outside the nodes. */
@NullMarked
package dev.mooring.binder.health;

import org.jspecify.annotations.NullMarked;
