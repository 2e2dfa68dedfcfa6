// SPDX-License-Identifier: Apache-2.0
/**
 * Watches as streams. {@link dev.mooring.apiserver.rest.watch.WatchStream} makes the lines of a watch; {@link
 * dev.mooring.apiserver.rest.watch.ResponseLines} and {@link dev.mooring.apiserver.rest.watch.WatchSocket} send them, without a thread that
 * waits for a client. {@link dev.mooring.apiserver.rest.watch.OpenStreams} has those that are open, and ends them with the server.
 */
@NullMarked
package dev.mooring.apiserver.rest.watch;

import org.jspecify.annotations.NullMarked;
