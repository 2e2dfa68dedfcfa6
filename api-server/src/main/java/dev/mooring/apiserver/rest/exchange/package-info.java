// SPDX-License-Identifier: Apache-2.0
/**
 * A request as it was received, and what it is answered with. {@link dev.mooring.apiserver.rest.exchange.ApiRequest} has the path, the
 * parameters and the body, {@link dev.mooring.apiserver.rest.exchange.Answer} the code and the body. An error is a {@link
 * dev.mooring.apiserver.rest.exchange.RestFailure}, whose {@code Status} {@link dev.mooring.apiserver.rest.exchange.Statuses} makes.
 */
@NullMarked
package dev.mooring.apiserver.rest.exchange;

import org.jspecify.annotations.NullMarked;
