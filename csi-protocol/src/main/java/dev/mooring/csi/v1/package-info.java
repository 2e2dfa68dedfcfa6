// SPDX-License-Identifier: Apache-2.0

/**
 * CSI's messages and services, generated from {@code csi.proto}: version 1.12 of the specification. A message's {@code toString} shows its secrets: use
 * {@link dev.mooring.csi.MessageText}.
 */
@NullMarked
package dev.mooring.csi.v1;

import org.jspecify.annotations.NullMarked;
