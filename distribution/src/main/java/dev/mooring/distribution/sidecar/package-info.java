// SPDX-License-Identifier: Apache-2.0
/** {@code mooring csi sidecar}: one process beside a CSI driver, in place of Kubernetes' side-cars. */
@NullMarked
package dev.mooring.distribution.sidecar;

import org.jspecify.annotations.NullMarked;
