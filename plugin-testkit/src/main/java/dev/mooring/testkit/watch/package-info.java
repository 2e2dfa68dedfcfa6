// SPDX-License-Identifier: Apache-2.0
/** Sees, counts and disturbs what a plugin asks of its host. */
@NullMarked
package dev.mooring.testkit.watch;

import org.jspecify.annotations.NullMarked;
