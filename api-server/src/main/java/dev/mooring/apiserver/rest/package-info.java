// SPDX-License-Identifier: Apache-2.0
/** The Kubernetes REST dialect over HTTP. */
@NullMarked
package dev.mooring.apiserver.rest;

import org.jspecify.annotations.NullMarked;
