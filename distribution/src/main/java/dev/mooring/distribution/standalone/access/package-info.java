// SPDX-License-Identifier: Apache-2.0
/** Who may come in: certificates, token, kubeconfig. */
@NullMarked
package dev.mooring.distribution.standalone.access;

import org.jspecify.annotations.NullMarked;
