// SPDX-License-Identifier: Apache-2.0
/**
 * What a leader may do only while it leads: {@link dev.mooring.runtime.term.FencedStore} holds back writes, {@link
 * dev.mooring.runtime.term.FencedCalls} calls of plugins, also those that were decided before.
 */
@NullMarked
package dev.mooring.runtime.term;

import org.jspecify.annotations.NullMarked;
