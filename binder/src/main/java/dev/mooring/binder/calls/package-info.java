// SPDX-License-Identifier: Apache-2.0
/** What the binder asks plugins to do, as data, and the handler that does it in production. */
@NullMarked
package dev.mooring.binder.calls;

import org.jspecify.annotations.NullMarked;
