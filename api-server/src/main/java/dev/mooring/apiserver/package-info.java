// SPDX-License-Identifier: Apache-2.0
/** The door: {@link dev.mooring.apiserver.ApiServer} serves a store to kubectl and other clients, in this process. */
@NullMarked
package dev.mooring.apiserver;

import org.jspecify.annotations.NullMarked;
