// SPDX-License-Identifier: Apache-2.0
/**
 * Decide on one thread, act on many: {@link dev.mooring.runtime.control.Controller}s turn what the caches show into {@link
 * dev.mooring.runtime.control.Decision}s, the {@link dev.mooring.runtime.control.ControlLoop} applies them one at a time, and an
 * interpreter carries out the {@link dev.mooring.runtime.control.Effect}s, on threads or in virtual time.
 */
@NullMarked
package dev.mooring.runtime.control;

import org.jspecify.annotations.NullMarked;
