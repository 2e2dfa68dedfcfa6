// SPDX-License-Identifier: Apache-2.0
/** Decides which volume is attached to which node. */
@NullMarked
package dev.mooring.attachdetach;

import org.jspecify.annotations.NullMarked;
