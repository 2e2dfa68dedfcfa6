// SPDX-License-Identifier: Apache-2.0
/** Programs written with the clients that people use. */
@NullMarked
package dev.mooring.clients;

import org.jspecify.annotations.NullMarked;
