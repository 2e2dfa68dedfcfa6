// SPDX-License-Identifier: Apache-2.0
/** Who a user is and what the user may do: rights, the reviews that ask for them, and the tokens of service accounts. */
@NullMarked
package dev.mooring.apiserver.rest.user;

import org.jspecify.annotations.NullMarked;
