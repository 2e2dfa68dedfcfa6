// SPDX-License-Identifier: Apache-2.0
/** What people do to a volume by hand when its claim has gone: judged before it is written (semantics/binder §5.9, §6). */
@NullMarked
package dev.mooring.binder.repair;

import org.jspecify.annotations.NullMarked;
