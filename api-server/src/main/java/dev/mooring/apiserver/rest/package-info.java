// SPDX-License-Identifier: Apache-2.0
/**
 * The Kubernetes REST dialect over HTTP. {@link dev.mooring.apiserver.rest.ApiEndpoint} listens, {@link
 * dev.mooring.apiserver.rest.ApiHandler} authenticates and reads a request, {@link dev.mooring.apiserver.rest.Router} finds what answers
 * it, {@code Verbs} carries out reads, writes and watches of objects.
 *
 * <p>Below it: {@code rest.exchange}, requests and answers; {@code rest.object}, changes of one
 * object; {@code rest.watch}, streams; {@code rest.user}, rights and tokens.
 */
@NullMarked
package dev.mooring.apiserver.rest;

import org.jspecify.annotations.NullMarked;
