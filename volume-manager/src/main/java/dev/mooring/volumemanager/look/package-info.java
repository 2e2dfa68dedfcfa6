// SPDX-License-Identifier: Apache-2.0
/** Looks into file systems whose server or device may not answer. */
@NullMarked
package dev.mooring.volumemanager.look;

import org.jspecify.annotations.NullMarked;
