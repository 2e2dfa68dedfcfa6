// SPDX-License-Identifier: Apache-2.0
/** Many pods move at once in virtual time: our attach-detach controller, and the peer's rules (semantics/attach-and-mount §1). */
@NullMarked
package dev.mooring.benchmarks.moving;

import org.jspecify.annotations.NullMarked;
