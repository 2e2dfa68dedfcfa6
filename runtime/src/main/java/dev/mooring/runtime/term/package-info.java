// SPDX-License-Identifier: Apache-2.0
/**
 * What a leader may do only as long as it leads: {@link dev.mooring.runtime.term.FencedStore} holds back writes, {@link
 * dev.mooring.runtime.term.FencedCalls} calls of plugins, whatever was decided before.
 */
@NullMarked
package dev.mooring.runtime.term;

import org.jspecify.annotations.NullMarked;
