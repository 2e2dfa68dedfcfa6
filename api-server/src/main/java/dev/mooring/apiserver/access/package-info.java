// SPDX-License-Identifier: Apache-2.0
/**
 * How clients are let in: certificates, the token and the kubeconfig, made at the first start and renewed in time.
 */
@NullMarked
package dev.mooring.apiserver.access;

import org.jspecify.annotations.NullMarked;
