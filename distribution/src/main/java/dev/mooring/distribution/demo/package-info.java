// SPDX-License-Identifier: Apache-2.0
/** The story that {@code mooring demo} tells. */
@NullMarked
package dev.mooring.distribution.demo;

import org.jspecify.annotations.NullMarked;
