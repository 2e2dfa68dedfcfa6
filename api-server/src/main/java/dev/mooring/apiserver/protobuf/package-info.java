// SPDX-License-Identifier: Apache-2.0
/** The binary form in which some clients send objects. */
@NullMarked
package dev.mooring.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
