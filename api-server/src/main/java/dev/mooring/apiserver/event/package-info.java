// SPDX-License-Identifier: Apache-2.0
/** Events as their own API group shows them. */
@NullMarked
package dev.mooring.apiserver.event;

import org.jspecify.annotations.NullMarked;
