// SPDX-License-Identifier: Apache-2.0
/** What commands take: options that several share, and how the text of an option becomes a value. */
@NullMarked
package dev.mooring.distribution.option;

import org.jspecify.annotations.NullMarked;
