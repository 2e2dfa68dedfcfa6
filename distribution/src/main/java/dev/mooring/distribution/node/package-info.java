// SPDX-License-Identifier: Apache-2.0
/** {@code mooring node}: the volume manager of a Node that no kubelet manages. */
@NullMarked
package dev.mooring.distribution.node;

import org.jspecify.annotations.NullMarked;
