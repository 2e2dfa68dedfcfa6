// SPDX-License-Identifier: Apache-2.0
/** A picture of the cluster, from which explanations are computed and repairs are judged. */
@NullMarked
package dev.mooring.binder.snapshot;

import org.jspecify.annotations.NullMarked;
