// SPDX-License-Identifier: Apache-2.0
/** Who may come in: certificates, token, kubeconfig. */
@NullMarked
package dev.mooring.apiserver.access;

import org.jspecify.annotations.NullMarked;
