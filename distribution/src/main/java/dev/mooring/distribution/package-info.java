// SPDX-License-Identifier: Apache-2.0
/**
 * The command line. {@code Main} is the entry, each {@code …Command} is one command, and each {@code …Options} is a group of options that
 * several commands have. What a command does is in a package of its own, below this one.
 */
@NullMarked
package dev.mooring.distribution;

import org.jspecify.annotations.NullMarked;
