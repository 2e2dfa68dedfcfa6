// SPDX-License-Identifier: Apache-2.0
/** One plugin, one machine, its volumes and their lives. */
@NullMarked
package dev.mooring.testkit.bench;

import org.jspecify.annotations.NullMarked;
