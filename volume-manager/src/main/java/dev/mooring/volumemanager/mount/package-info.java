// SPDX-License-Identifier: Apache-2.0
/** Where the volumes of the node's records are mounted. */
@NullMarked
package dev.mooring.volumemanager.mount;

import org.jspecify.annotations.NullMarked;
