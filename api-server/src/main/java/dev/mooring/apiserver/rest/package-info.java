// SPDX-License-Identifier: Apache-2.0
/**
 * The Kubernetes REST dialect over HTTP. {@link dev.mooring.apiserver.rest.ApiEndpoint} listens, {@link
 * dev.mooring.apiserver.rest.ApiHandler} authenticates and reads a request, {@link dev.mooring.apiserver.rest.Router} finds what answers
 * it, {@code Verbs} carries out reads, writes and watches of objects.
 *
 * <p>Below it: {@link dev.mooring.apiserver.rest.exchange}, requests and answers; {@link dev.mooring.apiserver.rest.object}, changes of one
 * object; {@link dev.mooring.apiserver.rest.watch}, streams; {@link dev.mooring.apiserver.rest.user}, rights and tokens.
 */
@NullMarked
package dev.mooring.apiserver.rest;

import org.jspecify.annotations.NullMarked;
