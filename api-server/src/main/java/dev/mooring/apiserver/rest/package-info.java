// SPDX-License-Identifier: Apache-2.0
/**
 * The Kubernetes REST dialect over HTTP. {@link dev.mooring.apiserver.rest.ApiEndpoint} listens, {@link
 * dev.mooring.apiserver.rest.ApiHandler} authenticates and reads a request, {@link dev.mooring.apiserver.rest.Router} finds what answers
 * it, {@link dev.mooring.apiserver.rest.Verbs} carries out reads, writes and watches of objects. An error is a {@link
 * dev.mooring.apiserver.rest.RestFailure}, which becomes a {@code Status}.
 *
 * <p>{@link dev.mooring.apiserver.rest.WatchStream} makes lines of a watch; {@link dev.mooring.apiserver.rest.ResponseLines} and {@link
 * dev.mooring.apiserver.rest.WatchSocket} send them, without a thread that waits for a client.
 */
@NullMarked
package dev.mooring.apiserver.rest;

import org.jspecify.annotations.NullMarked;
