// SPDX-License-Identifier: Apache-2.0
/** Tokens of service accounts. */
@NullMarked
package dev.mooring.apiserver.token;

import org.jspecify.annotations.NullMarked;
