// SPDX-License-Identifier: Apache-2.0
/** The kinds described for clients: OpenAPI. */
@NullMarked
package dev.mooring.apiserver.schema;

import org.jspecify.annotations.NullMarked;
