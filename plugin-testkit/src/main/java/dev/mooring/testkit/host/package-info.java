// SPDX-License-Identifier: Apache-2.0
/** The machine on which a plugin is tested: one in memory, or a real one. */
@NullMarked
package dev.mooring.testkit.host;

import org.jspecify.annotations.NullMarked;
