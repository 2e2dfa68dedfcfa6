// SPDX-License-Identifier: Apache-2.0

/**
 * How a driver makes itself known on a node, generated from {@code registration.proto}. A message's {@code toString} shows its secrets: use
 * {@link dev.mooring.csi.MessageText}.
 */
@NullMarked
package dev.mooring.csi.registration;

import org.jspecify.annotations.NullMarked;
