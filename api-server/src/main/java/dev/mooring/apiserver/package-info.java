// SPDX-License-Identifier: Apache-2.0
/**
 * An API server in a process: {@link dev.mooring.apiserver.ApiServer} serves a store to kubectl and other clients.
 */
@NullMarked
package dev.mooring.apiserver;

import org.jspecify.annotations.NullMarked;
