// SPDX-License-Identifier: Apache-2.0
/** Changes that clients describe: JSON patches and strategic merge patches. */
@NullMarked
package dev.mooring.apiserver.patch;

import org.jspecify.annotations.NullMarked;
