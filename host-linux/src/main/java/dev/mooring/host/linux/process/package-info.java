// SPDX-License-Identifier: Apache-2.0
/**
 * Tools as processes: with arguments and never by a shell, with a time limit, and found again by who comes after an agent that died.
 */
@NullMarked
package dev.mooring.host.linux.process;

import org.jspecify.annotations.NullMarked;
