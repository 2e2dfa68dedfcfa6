// SPDX-License-Identifier: Apache-2.0
/** Files of which a half would be worse than none. */
@NullMarked
package dev.mooring.apiserver.file;

import org.jspecify.annotations.NullMarked;
