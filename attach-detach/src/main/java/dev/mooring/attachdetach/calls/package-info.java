// SPDX-License-Identifier: Apache-2.0
/** What plugins are asked to do to attach and detach, as data, and the handler that does it in production. */
@NullMarked
package dev.mooring.attachdetach.calls;

import org.jspecify.annotations.NullMarked;
