// SPDX-License-Identifier: Apache-2.0
/** Clients that a test may have on its class path, reached without a link to them. */
@NullMarked
package dev.mooring.junit.client;

import org.jspecify.annotations.NullMarked;
