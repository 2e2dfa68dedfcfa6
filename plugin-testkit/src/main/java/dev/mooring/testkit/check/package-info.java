// SPDX-License-Identifier: Apache-2.0
/** The checks, in groups that apply to what a plugin declares. */
@NullMarked
package dev.mooring.testkit.check;

import org.jspecify.annotations.NullMarked;
