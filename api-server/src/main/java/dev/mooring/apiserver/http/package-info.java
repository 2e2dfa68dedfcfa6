// SPDX-License-Identifier: Apache-2.0
/** What the endpoints of this program have in common. */
@NullMarked
package dev.mooring.apiserver.http;

import org.jspecify.annotations.NullMarked;
